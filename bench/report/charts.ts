/** The charts of a run as files. A chart whose part did not run is left as it is. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { growthChart } from './growth-chart.ts';
import { Measurements, type Report } from './measurement.ts';
import { throughputChart } from './throughput-chart.ts';

const CHARTS = [
  ['throughput.svg', throughputChart],
  ['growth.svg', growthChart],
] as const;

const captionOf = ({ machine, startedAt, isQuick }: Report): string =>
  `${machine.processor}, ${machine.cores} cores, Node ${machine.node}, ${startedAt.slice(0, 10)}; medians` +
  (isQuick ? ' of a quick run' : '');

/** Writes what the run has data for; returns the files. */
export function writeCharts(report: Report, folder: string): readonly string[] {
  const run = new Measurements(report.sections);
  const caption = captionOf(report);
  const written: string[] = [];
  for (const [name, draw] of CHARTS) {
    const chart = draw(run, caption);
    if (chart === null) continue;
    mkdirSync(folder, { recursive: true });
    const file = join(folder, name);
    writeFileSync(file, chart);
    written.push(file);
  }
  return written;
}
