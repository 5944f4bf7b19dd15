/**
 * Runs a Dockerfile without Docker: each stage is a folder that stands for its file system, COPY copies, and RUN runs
 * in a shell in the folder of the stage. Knows the instructions that the project's own Dockerfile has, no others.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';

export interface DockerStage {
  /** Stands for `/`. */
  readonly root: string;
  workdir: string;
  readonly environment: Record<string, string>;
  /** HEALTHCHECK, ENTRYPOINT and CMD in their JSON form. */
  readonly commands: Map<string, readonly string[]>;
}

/** Instructions in order, with their continuation lines. */
export const instructionsOf = (text: string): { readonly name: string; readonly rest: string }[] =>
  text
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, name = '', rest = ''] = /^(\S+)\s+(.*)$/.exec(line) ?? [];
      return { name, rest };
    });

interface DockerRun {
  /** The folder that COPY without `--from` copies from. */
  readonly contextFolder: string;
  /** Where the stages are made. */
  readonly folder: string;
  /** In place of a command that needs what is not there, such as a registry; undefined runs the command itself. */
  readonly standIn: (command: string, stage: DockerStage) => (() => void) | undefined;
}

/** The last stage. */
export function runDockerfile(text: string, { contextFolder, folder, standIn }: DockerRun): DockerStage {
  const stages = new Map<string, DockerStage>();
  let stage: DockerStage | undefined;
  for (const { name, rest } of instructionsOf(text)) {
    if (name === 'FROM') {
      const [, alias = 'last'] = / AS (\S+)$/.exec(rest) ?? [];
      stage = { root: join(folder, alias), workdir: '/', environment: {}, commands: new Map() };
      mkdirSync(stage.root);
      stages.set(alias, stage);
      continue;
    }
    assert.ok(stage !== undefined, 'FROM comes first');
    switch (name) {
      case 'WORKDIR':
        stage.workdir = rest;
        mkdirSync(join(stage.root, rest), { recursive: true });
        break;
      case 'ENV':
        for (const [, key = '', value = ''] of rest.matchAll(/(\w+)=(\S+)/g)) stage.environment[key] = value;
        break;
      case 'COPY':
        copy(rest, stage, contextFolder, stages);
        break;
      case 'RUN':
        for (const command of rest.split(' && ')) {
          const instead = standIn(command, stage);
          if (instead === undefined) run(command, stage);
          else instead();
        }
        break;
      case 'HEALTHCHECK':
      case 'ENTRYPOINT':
      case 'CMD':
        stage.commands.set(name, JSON.parse(rest.slice(rest.indexOf('['))) as string[]);
        break;
      default:
        assert.ok(['USER', 'VOLUME', 'EXPOSE'].includes(name), `${name} is not known here`);
    }
  }
  assert.ok(stage !== undefined);
  return stage;
}

const inStage = ({ root, workdir }: DockerStage, path: string): string =>
  join(root, path.startsWith('/') ? path : join(workdir, path));

function copy(
  rest: string,
  stage: DockerStage,
  contextFolder: string,
  stages: ReadonlyMap<string, DockerStage>,
): void {
  const [, from] = /^--from=(\S+) /.exec(rest) ?? [];
  const paths = rest.split(' ').filter((word) => !word.startsWith('--'));
  const target = paths.pop() ?? '';
  const source = from === undefined ? contextFolder : stages.get(from)?.root;
  assert.ok(source !== undefined, `no stage ${from}`);
  for (const path of paths) {
    const at = join(source, path);
    // As Docker has it: the content of a folder, or a file under its name.
    const to = statSync(at).isDirectory() || !target.endsWith('/') ? target : join(target, basename(path));
    cpSync(at, inStage(stage, to), { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  }
}

function run(command: string, stage: DockerStage): void {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command], {
    cwd: join(stage.root, stage.workdir),
    encoding: 'utf8',
    env: { ...process.env, ...stage.environment },
  });
  assert.equal(status, 0, `${command}: ${stdout}${stderr}`);
}
