/** The examples of `data/deploy/` for Compose, Kubernetes and Prometheus hold together: what one names, another one has. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { test } from 'node:test';
import { parse, parseAllDocuments } from 'yaml';
import { SETTINGS } from '../../src/front/settings.ts';
import { projectRoot, readText } from '../house/project-files.ts';

const FOLDER = 'data/deploy';

interface Mount {
  readonly source: string;
  readonly target: string;
}

interface Service {
  readonly image: string;
  readonly build?: string;
  readonly depends_on?: readonly string[] | Readonly<Record<string, unknown>>;
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes: readonly string[];
  readonly configs?: readonly Mount[];
  readonly ports?: readonly string[];
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly stop_grace_period?: string;
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, null>>;
  readonly configs?: Readonly<Record<string, { readonly content: string }>>;
}

const readCompose = (name: string): Compose => parse(readText(`${FOLDER}/${name}`), { merge: true });
const COMPOSES = ['compose.yaml', 'compose.cluster.yaml'].map((file) => ({ file, ...readCompose(file) }));
const cluster = readCompose('compose.cluster.yaml');
const dockerfile = readText('Dockerfile');
const [, exposed = ''] = /^EXPOSE (\d+)$/m.exec(dockerfile) ?? [];

const mountsOf = ({ volumes }: Service): readonly Mount[] =>
  volumes.map((text) => {
    const [source = '', target = ''] = text.split(':');
    return { source, target };
  });

/** A value in which Compose has put what its user sets. */
const filled = (value: string): string =>
  value.replace(/\$\{\w+(?::([-?])([^}]*))?\}/g, (_, kind, text) => (kind === '-' ? text : 'f'.repeat(64)));

/** Names of variables that are no setting, or whose value the setting refuses. */
const refusedSettings = (environment: Readonly<Record<string, string>>): string[] =>
  Object.entries(environment)
    .filter(([name]) => name.startsWith('RATEWRIGHT_'))
    .filter(([name, value]) => {
      const setting = Object.values(SETTINGS).find(({ variable }) => variable === name);
      return setting === undefined || setting.read(value) === null;
    })
    .map(([name]) => name);

for (const { file, services, volumes, configs = {} } of COMPOSES) {
  test(`${file}: each image is pinned, each service has a health check, and each name leads somewhere`, () => {
    const used = Object.values(services).flatMap(mountsOf);
    for (const [service, each] of Object.entries(services)) {
      if (each.build === undefined) assert.match(each.image, /:v?\d+\.\d+(?:\.\d+)?(?:-\w+)?$/, service);
      else assert.equal(posix.join(FOLDER, each.build, 'Dockerfile'), 'Dockerfile');
      const isChecked = each.build === undefined ? each.healthcheck : /^HEALTHCHECK /m.exec(dockerfile);
      assert.ok(isChecked, service);
      const { depends_on: needed = [] } = each;
      for (const other of Array.isArray(needed) ? needed : Object.keys(needed))
        assert.ok(services[other], other);
      for (const { source } of each.configs ?? []) assert.ok(configs[source], source);
      for (const [key, value] of Object.entries(each.environment ?? {})) {
        // Compose itself refuses to start without a secret, and says what it must look like.
        if (/PASSWORD|SECRET/.test(key)) assert.match(value, /^\$\{\w+:\?.+\}$/, key);
      }
      assert.deepEqual(refusedSettings(mapValues(each.environment ?? {}, filled)), [], service);
    }
    const [files, named] = [true, false].map((isFile) =>
      used.map(({ source }) => source).filter((source) => /^\.{1,2}\//.test(source) === isFile),
    ) as [string[], string[]];
    assert.deepEqual(
      files.filter((path) => !existsSync(join(projectRoot, FOLDER, path))),
      [],
    );
    assert.deepEqual([...new Set(named)].sort(), Object.keys(volumes).sort());
    assert.equal(new Set(named).size, named.length, 'no two services share a volume');
  });

  test(`${file}: nothing but the proxy listens to the world, and a node has the time that it takes to stop`, () => {
    for (const [service, { ports = [], build, stop_grace_period: grace, volumes: mounted }] of Object.entries(
      services,
    )) {
      const open = ports.filter((port) => !port.startsWith('127.0.0.1:'));
      assert.deepEqual(service === 'proxy' ? [] : open, [], service);
      if (build === undefined) continue;
      const [, seconds] = /^TimeoutStopSec=(\d+)$/m.exec(readText(`${FOLDER}/ratewright.service`)) ?? [];
      assert.equal(grace, `${seconds}s`);
      const [, data] = /^VOLUME (.+)$/m.exec(dockerfile) ?? [];
      assert.ok(
        mounted.some((mount) => mount.endsWith(`:${data}`)),
        service,
      );
    }
  });
}

const mapValues = <T, U>(record: Readonly<Record<string, T>>, map: (value: T) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));

const nodes = Object.entries(cluster.services)
  .filter(([, { build }]) => build !== undefined)
  .map(([name]) => `${name}:${exposed}`);

test('compose.cluster.yaml: proxy and Prometheus know each node, and the nodes each server of PostgreSQL', () => {
  assert.equal(nodes.length, 3);
  const proxies = [...readText(`${FOLDER}/Caddyfile.cluster`).matchAll(/reverse_proxy(?: @\w+)? (.+) \{/g)];
  assert.deepEqual(
    proxies.map(([, upstreams]) => upstreams),
    Array.from({ length: 2 }, () => nodes.join(' ')),
  );
  const {
    scrape_configs: [scraped],
  } = parse(readText(`${FOLDER}/prometheus.yml`));
  assert.deepEqual(scraped.static_configs, [{ targets: nodes }]);
  const servers = Object.entries(cluster.services).filter(([, { image }]) => image.startsWith('postgres:'));
  for (const { environment = {} } of Object.values(cluster.services)) {
    const { RATEWRIGHT_DATABASE_URL: url } = environment;
    if (url === undefined) continue;
    const [, user, hosts, database] = /^postgres:\/\/(\w+)@([\w,]+)\/(\w+)$/.exec(url) ?? [];
    assert.equal(hosts, servers.map(([name]) => name).join(','));
    const { POSTGRES_USER, POSTGRES_DB } = servers[0]?.[1].environment ?? {};
    assert.deepEqual([user, database], [POSTGRES_USER, POSTGRES_DB]);
  }
});

test('compose.cluster.yaml: Prometheus finds the alerts under the name of their job, Grafana data source and dashboard', () => {
  const {
    rule_files: rules,
    scrape_configs: [scraped],
  } = parse(readText(`${FOLDER}/prometheus.yml`));
  const { prometheus, grafana } = cluster.services;
  assert.ok(prometheus !== undefined && grafana !== undefined);
  const mounted = mountsOf(prometheus);
  const config = mounted.find(({ source }) => source === './prometheus.yml')?.target ?? '';
  const targets = rules.map((rule: string) => posix.join(posix.dirname(config), rule));
  assert.deepEqual(targets, [mounted.find(({ source }) => source.endsWith('prometheus-alerts.yml'))?.target]);
  const jobs = [...readText('data/prometheus-alerts.yml').matchAll(/job="(\w+)"/g)].map(([, job]) => job);
  assert.deepEqual([...new Set(jobs)], [scraped.job_name]);

  const provisioned = mapValues(cluster.configs ?? {}, ({ content }) => parse(content));
  const [source] = provisioned['datasources'].datasources;
  assert.equal(source.type, 'prometheus');
  assert.ok(cluster.services[new URL(source.url).hostname]);
  const dashboard = mountsOf(grafana).find(({ source }) => source.endsWith('grafana-dashboard.json'));
  assert.equal(provisioned['dashboards'].providers[0].options.path, posix.dirname(dashboard?.target ?? ''));
});

test('promtool accepts the alerts and the configuration of Prometheus', (context) => {
  const check = (...args: string[]) =>
    spawnSync('promtool', ['check', ...args], { cwd: projectRoot, encoding: 'utf8' });
  if (check('--help').error !== undefined) return context.skip('there is no promtool on this machine');
  for (const args of [
    ['rules', 'data/prometheus-alerts.yml'],
    ['config', '--syntax-only', `${FOLDER}/prometheus.yml`],
  ]) {
    const { status, stdout, stderr } = check(...args);
    assert.equal(status, 0, stdout + stderr);
  }
});

test('kubernetes.yaml: its parts select each other, its probes are routes, and its settings exist', () => {
  const documents = parseAllDocuments(readText(`${FOLDER}/kubernetes.yaml`)).map((each) => each.toJS());
  const [deployment, service, budget, policy] = [
    'Deployment',
    'Service',
    'PodDisruptionBudget',
    'NetworkPolicy',
  ].map((kind) => documents.find((each) => each.kind === kind));
  assert.equal(documents.length, 4);
  const { replicas, selector, template } = deployment.spec;
  const { labels } = template.metadata;
  for (const chosen of [
    selector.matchLabels,
    service.spec.selector,
    budget.spec.selector.matchLabels,
    policy.spec.podSelector.matchLabels,
    template.spec.topologySpreadConstraints[0].labelSelector.matchLabels,
  ]) {
    assert.deepEqual(chosen, labels);
  }
  assert.ok(budget.spec.minAvailable < replicas, 'a node can be drained');

  const [container] = template.spec.containers;
  const { version } = JSON.parse(readText('package.json')) as { version: string };
  assert.ok(container.image.endsWith(`/ratewright:${version}`), container.image);
  const [port] = container.ports;
  assert.equal(String(port.containerPort), exposed);
  const named = [service.spec.ports[0].targetPort, policy.spec.ingress[0].ports[0].port];
  const probes = ['startupProbe', 'livenessProbe', 'readinessProbe'].map((kind) => container[kind].httpGet);
  for (const name of [...named, ...probes.map((probe) => probe.port)]) assert.equal(name, port.name);
  assert.deepEqual(
    probes.map(({ path }) => path),
    ['/healthz', '/healthz', '/readyz'],
  );
  const env = container.env as { name: string; valueFrom: { secretKeyRef: { name: string; key: string } } }[];
  const known = Object.values(SETTINGS).map(({ variable }) => variable);
  const secret = readText(`${FOLDER}/kubernetes.yaml`);
  for (const { name, valueFrom } of env) {
    assert.ok(known.includes(name), name);
    assert.match(secret, new RegExp(`create secret generic ${valueFrom.secretKeyRef.name} `));
    assert.match(secret, new RegExp(`--from-literal=${valueFrom.secretKeyRef.key}=`));
  }
  const [mount] = container.volumeMounts;
  assert.equal(mount.name, template.spec.volumes[0].name);
  assert.match(dockerfile, new RegExp(`^VOLUME ${mount.mountPath}$`, 'm'));
  assert.match(dockerfile, new RegExp(`RATEWRIGHT_DATA=${mount.mountPath}$`, 'm'));
  // It is told to stop after preStop, and has the time of the unit of systemd.
  const [, , slept] = /^(sleep),(\d+)$/.exec(container.lifecycle.preStop.exec.command.join()) ?? [];
  assert.ok(template.spec.terminationGracePeriodSeconds >= Number(slept) + 10);
});
