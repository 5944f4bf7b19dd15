/**
 * Chromium for tests: on Linux with an x64 processor the headless build in an npm package, which needs no download; on
 * other systems an installed one.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import { type Browser, chromium } from 'playwright-core';
import { reasonToSkip } from './required-tools.ts';

/** The compressed program in the package, 64 MB; unpacked once per build, 200 MB. */
const FOLDER = fileURLToPath(new URL('../../chromium/', import.meta.url));

const BROWSER_FLAGS: readonly string[] = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The path of an installed Chromium, or undefined. */
const installedBrowser = (): string | undefined =>
  ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);

const isPackaged = process.platform === 'linux' && process.arch === 'x64';

/** The reason to skip what needs a browser, or false; see `reasonToSkip`. */
export const noBrowserReason: string | false = reasonToSkip(
  'browser',
  !isPackaged && installedBrowser() === undefined && 'there is no Chromium for this machine',
);

/** The path of the packaged Chromium and its libraries; unpacks it on first use. */
function packagedBrowser(): { readonly program: string; readonly libraries: string } {
  const program = join(FOLDER, 'chromium');
  if (!existsSync(program)) {
    const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium');
    const packed = join(dirname(entry), '../../bin');
    const unpack = (name: string): Buffer => brotliDecompressSync(readFileSync(join(packed, name)));
    mkdirSync(FOLDER, { recursive: true });
    const tar = spawnSync('tar', ['-x', '-C', FOLDER], { input: unpack('al2023.tar.br') });
    if (tar.status !== 0) throw new Error(`the libraries of Chromium: ${tar.stderr}`);
    // Renamed when complete, because a test may be ended while it unpacks.
    const part = `${program}.${process.pid}`;
    writeFileSync(part, unpack('chromium.br'), { mode: 0o755 });
    renameSync(part, program);
  }
  return { program, libraries: join(FOLDER, 'lib') };
}

/** Call only when `noBrowserReason` is false. */
export function launchBrowser(): Promise<Browser> {
  const args = [...BROWSER_FLAGS];
  if (!isPackaged) return chromium.launch({ executablePath: installedBrowser() ?? '', args });
  const { program, libraries } = packagedBrowser();
  const env = { ...process.env, LD_LIBRARY_PATH: libraries } as Record<string, string>;
  return chromium.launch({ executablePath: program, args, env });
}
