import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { NODE_RELEASES, nodeRefusal } from '../../../src/base/runtime/node-release.ts';
import { projectRoot, readText } from '../../house/project-files.ts';

test('the releases are those of package.json', () => {
  const { engines } = JSON.parse(readText('package.json')) as { readonly engines: { readonly node: string } };
  assert.equal(NODE_RELEASES, engines.node);
});

test('a release within them is accepted, any other is refused with those that are accepted', () => {
  for (const version of [
    '20.15.0',
    '20.20.2',
    '22.2.0',
    '22.23.3',
    '24.0.0',
    '26.1.0',
    process.versions.node,
  ]) {
    assert.equal(nodeRefusal(version), null, version);
  }
  for (const version of [
    '16.20.2',
    '18.20.8',
    '20.14.0',
    '21.7.3',
    '22.1.0',
    '23.11.1',
    '25.0.0',
    '28.0.0',
  ]) {
    assert.equal(
      nodeRefusal(version),
      `this is Node ${version}; Ratewright runs on Node 20 (from 20.15), 22 (from 22.2), 24 or 26`,
    );
  }
});

test('on another release every command ends with 64 and one line', () => {
  const pretend = `Object.defineProperty(process.versions, 'node', { value: '18.20.8' })`;
  for (const words of [['serve'], ['--version'], []]) {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [
        ...['--import', `data:text/javascript,${encodeURIComponent(pretend)}`],
        ...[join(projectRoot, 'dist/program/cli.js'), ...words],
      ],
      { encoding: 'utf8' },
    );
    assert.deepEqual([status, stdout], [64, '']);
    assert.equal(stderr, `ratewright: ${nodeRefusal('18.20.8')}\n`);
  }
});
