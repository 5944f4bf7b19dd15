/**
 * Loaded into a server before its own code: the first SIGUSR2 starts a CPU profile of the main thread, the next one
 * ends it and writes it to the file that `BENCH_PROFILE_FILE` names. So the profile holds the load and no start.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { isMainThread } from 'node:worker_threads';

const SAMPLING_US = 200;

function recordOnSignal(file: string): void {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.setSamplingInterval', { interval: SAMPLING_US });
  let isRecording = false;
  process.on('SIGUSR2', () => {
    if (!isRecording) session.post('Profiler.start');
    else {
      session.post('Profiler.stop', (cause, result) => {
        writeFileSync(`${file}.new`, cause === null ? JSON.stringify(result.profile) : '');
        renameSync(`${file}.new`, file);
      });
    }
    isRecording = !isRecording;
  });
}

const file = process.env['BENCH_PROFILE_FILE'];
if (isMainThread && file !== undefined) recordOnSignal(file);
