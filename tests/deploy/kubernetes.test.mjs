// kubernetes.test.mjs FILE PROGRAM: the objects of FILE are valid by the published schemas, faults in them are found, and
// PROGRAM accepts the configuration in them.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {ServiceMonitor} from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/ServiceMonitor';
import {Deployment} from 'kubernetes-models/apps/v1/Deployment';
import {PodDisruptionBudget} from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import {ConfigMap} from 'kubernetes-models/v1/ConfigMap';
import {Service} from 'kubernetes-models/v1/Service';
import {parseAllDocuments} from 'yaml';

const [, , file, program] = process.argv;
const models = {ConfigMap, Deployment, PodDisruptionBudget, Service, ServiceMonitor};
const objects = parseAllDocuments(readFileSync(file, 'utf8')).map((each) => {
  assert.deepEqual(each.errors, []);
  return each.toJS();
});
assert.deepEqual([...new Set(objects.map((each) => each.kind))].sort(), Object.keys(models));
for (const object of objects) {
  new models[object.kind](object).validate();
  const faulty = structuredClone(object);
  if (faulty.spec) faulty.spec.selector = 7;
  else faulty.data = 7;
  assert.throws(() => new models[object.kind](faulty).validate(), object.kind);
}

const configuration = objects.find((each) => each.kind === 'ConfigMap').data['proxy.toml'];
const folder = mkdtempSync(join(tmpdir(), 'citestream-'));
try {
  const path = join(folder, 'proxy.toml');
  writeFileSync(path, configuration);
  execFileSync(program, ['proxy', '--config', path, '--check-config']);
} finally {
  rmSync(folder, {recursive: true});
}

const pod = objects.find((each) => each.kind === 'Deployment').spec.template.spec;
const drain = Number(configuration.match(/^drain = (\d+)$/m)[1]);
assert(pod.terminationGracePeriodSeconds > drain + Number(pod.containers[0].lifecycle.preStop.exec.command[1]));
