// Installs npm packages next to itself, unless the versions in package-lock.json are there already.
import {spawnSync} from 'node:child_process';
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname} from 'node:path';
import {fileURLToPath} from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const stamp = `${here}/node_modules/.installed-from`;
const wanted = readFileSync(`${here}/package-lock.json`, 'utf8');

if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) {
  console.log('the packages are installed');
} else {
  const npm = spawnSync(process.argv[2] ?? 'npm', ['ci', '--ignore-scripts'], {cwd: here, stdio: 'inherit'});
  if (npm.status !== 0) process.exit(npm.status ?? 1);
  writeFileSync(stamp, wanted);
}
