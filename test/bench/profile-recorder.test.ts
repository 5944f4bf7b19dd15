/** A CPU profile from a running process: recorded between two signals, and its places told as places of the source. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Profiler } from 'node:inspector';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { SourcePlaces } from '../../bench/process/source-place.ts';
import { projectPath } from '../../bench/project-paths.ts';
import { selfTimesOf } from '../../bench/report/cpu-profile.ts';

const folder = mkdtempSync(join(tmpdir(), 'ratewright-profile-'));
after(() => rmSync(folder, { recursive: true, force: true }));

test('a profile covers the time between two signals, and is complete once its file exists', {
  timeout: 30_000,
}, async () => {
  const script = join(folder, 'busy.mjs');
  writeFileSync(
    script,
    `function spin() { const end = Date.now() + 20; while (Date.now() < end); }
let turns = 0;
setInterval(() => { spin(); if (++turns === 1 || turns === 10) process.send(turns); }, 1);
`,
  );
  const file = join(folder, 'busy.cpuprofile');
  const recorder = projectPath('dist/bench/process/profile-recorder.js');
  const child = spawn(process.execPath, [`--import=${pathToFileURL(recorder).href}`, script], {
    env: { ...process.env, BENCH_PROFILE_FILE: file },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  try {
    await once(child, 'message');
    child.kill('SIGUSR2');
    await once(child, 'message');
    child.kill('SIGUSR2');
    while (!existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 10));
    const functions = selfTimesOf(JSON.parse(readFileSync(file, 'utf8')) as Profiler.Profile);
    // Not the longest for certain: while others use the core the time goes to whatever function waits for it.
    const spin = functions.find(({ functionName }) => functionName === 'spin');
    assert.equal(spin?.url, pathToFileURL(script).href);
  } finally {
    child.kill('SIGKILL');
  }
});

test('a place of compiled code is told as its place in the source, or as it is where no source is known', () => {
  const places = new SourcePlaces();
  const compiled = projectPath('dist/bench/part.js');
  const linesOf = (path: string): string[] => readFileSync(path, 'utf8').split('\n');
  const line = linesOf(compiled).findIndex((text) => text.startsWith('export class Rounds'));
  const sourceLine = linesOf(projectPath('bench/part.ts')).findIndex((text) =>
    text.startsWith('export class Rounds'),
  );
  assert.equal(places.placeOf(pathToFileURL(compiled).href, line, 0), `bench/part.ts:${sourceLine + 1}`);
  const unmapped = pathToFileURL(projectPath('dist/no-such-file.js')).href;
  assert.equal(places.placeOf(unmapped, 6, 0), 'dist/no-such-file.js:7');
  assert.equal(places.placeOf('node:fs', 3, 0), 'node:fs');
});
