/** Runs strace to record the system calls of a program, or to make some of them fail. */
import { spawnSync } from 'node:child_process';

/** The reason to skip a test that needs strace, or false. */
export function straceMissing(): string | false {
  if (process.platform !== 'linux') return 'strace is there on Linux only';
  const { status } = spawnSync('strace', ['-f', '-e', 'trace=none', 'true'], { stdio: 'ignore' });
  return status === 0 ? false : 'strace is not installed, or may not trace here';
}

/** The operations of a program on one file and its output lines, in order. */
export type TracedStep =
  /** `isSynced`: the write is on disk when the call returns, because the file was opened in that mode. */
  | { readonly kind: 'write'; readonly at: number; readonly bytes: Buffer; readonly isSynced: boolean }
  | { readonly kind: 'sync' }
  | { readonly kind: 'said'; readonly line: string };

export const TRACED_CALLS = 'trace=openat,close,lseek,write,writev,pwrite64,fdatasync,fsync,msync';

const CALL = /^\d+ +(\w+)\((.*)$/s;
const RESUMED = /^(\d+) +<\.\.\. (\w+) resumed>/;
const TEXT = /"((?:\\x[0-9a-f]{2})*)"(\.\.\.)?/g;

function textsIn(line: string): Buffer[] {
  return [...line.matchAll(TEXT)].map(([, hex = '', cut]) => {
    if (cut !== undefined) throw new Error('strace cut a text off');
    return Buffer.from(hex.replaceAll('\\x', ''), 'hex');
  });
}

/**
 * Reads the output of `strace -f -xx` with `TRACED_CALLS`: all writes to the file whose path ends with `name`, its
 * flushes, and the lines on standard output. Other files that reuse the descriptor are distinguished. Calls that
 * another thread interrupted count from their end.
 */
export function readTrace(output: string, name: string): TracedStep[] {
  const steps: TracedStep[] = [];
  /** Descriptor -> whether each write flushes the file or goes to its end, and the offset of the next write. */
  const open = new Map<number, { readonly isSynced: boolean; readonly isAppended: boolean; at: number }>();
  let fileBytes = 0;
  const begun = new Map<string, string>();
  for (const printed of output.split('\n')) {
    let line = printed;
    const thread = /^\d+/.exec(line)?.[0] ?? '';
    if (line.endsWith('<unfinished ...>')) {
      begun.set(thread, line.slice(0, -'<unfinished ...>'.length));
      continue;
    }
    if (RESUMED.test(line)) line = (begun.get(thread) ?? '') + line.replace(RESUMED, '');
    const [, call, rest = ''] = CALL.exec(line) ?? [];
    const result = Number(/ = (-?\d+)[^=]*$/.exec(line)?.[1] ?? -1);
    if (call === undefined || result < 0) continue;
    if (call === 'openat') {
      const path = textsIn(rest)[0]?.toString() ?? '';
      const [isSynced, isAppended] = ['O_DSYNC', 'O_APPEND'].map((flag) => rest.includes(flag)) as [
        boolean,
        boolean,
      ];
      if (path.endsWith(name)) open.set(result, { isSynced, isAppended, at: 0 });
      else open.delete(result);
      continue;
    }
    const descriptor = Number(/^\d+/.exec(rest)?.[0] ?? -1);
    if (call === 'write' && descriptor === 1) {
      for (const said of String(textsIn(rest)[0]).trim().split('\n'))
        steps.push({ kind: 'said', line: said });
    }
    const file = open.get(descriptor);
    if (file === undefined) continue;
    if (call === 'close') open.delete(descriptor);
    else if (call === 'lseek') file.at = result;
    else if (call === 'fdatasync' || call === 'fsync') steps.push({ kind: 'sync' });
    else if (call === 'msync') throw new Error('a write through the map cannot be followed');
    else {
      const bytes = Buffer.concat(textsIn(rest)).subarray(0, result);
      const next = file.isAppended ? fileBytes : file.at;
      const at = call === 'pwrite64' ? Number(/(\d+) *\) += \d+$/.exec(line)?.[1]) : next;
      if (Number.isNaN(at)) throw new Error(`no place in ${line.slice(-80)}`);
      if (call !== 'pwrite64') file.at = at + bytes.length;
      fileBytes = Math.max(fileBytes, at + bytes.length);
      steps.push({ kind: 'write', at, bytes, isSynced: file.isSynced });
    }
  }
  return steps;
}
