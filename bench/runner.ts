/** Runs the wanted parts one after another. A part that fails is reported and the others still run. */
import type { Part, PartRun } from './part.ts';
import type { Measurement, Section } from './report/measurement.ts';
import type { Progress } from './report/progress.ts';

interface RunnerTools extends Pick<PartRun, 'effort' | 'options' | 'ownShop' | 'children' | 'folders'> {
  readonly progress: Progress;
  /** Called with each section as soon as it is finished. */
  readonly show: (section: Section) => void;
}

async function runPart(part: Part, tools: RunnerTools): Promise<Section> {
  const measurements: Measurement[] = [];
  const notes: string[] = [];
  const run: PartRun = {
    effort: tools.effort,
    options: tools.options,
    ownShop: tools.ownShop,
    children: tools.children,
    folders: tools.folders,
    step: (text) => tools.progress.step(text),
    record: (measurement) => {
      measurements.push(measurement);
    },
    note: (text) => {
      notes.push(text);
    },
  };
  const section = { id: part.id, title: part.title, measurements, notes };
  try {
    await part.run(run);
    return section;
  } catch (cause) {
    return { ...section, failure: cause instanceof Error ? cause.message : String(cause) };
  } finally {
    await tools.children.stopAll();
    tools.folders.clear();
  }
}

export async function runParts(parts: readonly Part[], tools: RunnerTools): Promise<readonly Section[]> {
  const sections: Section[] = [];
  for (const [at, part] of parts.entries()) {
    tools.progress.begin(`${at + 1}/${parts.length}`, part.title);
    const section = await runPart(part, tools);
    tools.progress.clear();
    tools.show(section);
    sections.push(section);
  }
  return sections;
}
