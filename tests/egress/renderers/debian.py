"""Renders the documents that U+001E separates with Debian's python3-markdown and python3-markdown-it."""
import sys

import markdown
from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin

plain = markdown.Markdown()
extended = markdown.Markdown(extensions=['extra', 'sane_lists', 'nl2br', 'toc', 'admonition'])
commonmark = MarkdownIt('commonmark')
linkified = MarkdownIt('gfm-like').use(dollarmath_plugin)
linkified.linkify.set({'fuzzy_link': False, 'fuzzy_email': False})


def python_markdown(by, text):
    try:
        return by.reset().convert(text)
    except (RecursionError, IndexError, AttributeError, ValueError):
        return ''


texts = sys.stdin.buffer.read().decode('utf-8', 'replace').split('\x1e')
out = ['\x1f'.join([python_markdown(plain, one), python_markdown(extended, one), commonmark.render(one), linkified.render(one)])
       for one in texts]
sys.stdout.buffer.write('\x1e'.join(one.replace('\x1e', '') for one in out).encode('utf-8', 'replace'))
