/**
 * Closed loop over HTTP in alternating rounds: every variant is loaded once per round, after one round of warm-up,
 * with the same bodies. Gives throughput and processor time per request.
 */
import { CONNECTIONS, type LoadGenerator } from '../load/load-generator.ts';
import { writeBodies } from '../load/load-target.ts';
import { type PartRun, Rounds } from '../part.ts';
import { cpuTimeUs } from '../process/cpu-time.ts';
import { askOnce, type MeasuredServer, targetOf } from './measured-server.ts';

interface ClosedLoopVariant {
  readonly server: MeasuredServer;
  readonly label: string;
  readonly throughputId: string;
  /** Recorded where the system tells the processor time of another process. */
  readonly cpuId: string;
}

interface ClosedLoopRounds {
  readonly load: LoadGenerator;
  readonly bodies: readonly string[];
  readonly variants: readonly ClosedLoopVariant[];
  /** Microseconds of processor time that the process has used, or null; by default those of all its threads. */
  readonly cpuTimeOf?: (pid: number) => number | null;
  /** Follows the label of the variant. */
  readonly cpuLabel?: string;
}

/** Measures and records; the rounds are for ratios. */
export async function measureClosedLoop(part: PartRun, plan: ClosedLoopRounds): Promise<Rounds> {
  const { load, bodies, variants, cpuTimeOf = cpuTimeUs, cpuLabel = 'processor time per request' } = plan;
  const bodiesFile = writeBodies(part.folders.make('bodies'), 'closed-loop', bodies);
  const { rounds, closedLoopSeconds, warmupSeconds } = part.effort;
  const results = new Rounds();
  for (let round = 0; round <= rounds; round++) {
    for (const { server, label, throughputId, cpuId } of variants) {
      part.step(`${label} (${round === 0 ? 'warm-up' : `round ${round} of ${rounds}`})`);
      if (round === 0) await askOnce(server, bodies[0] as string);
      const before = cpuTimeOf(server.child.pid);
      const { answers, seconds } = await load.closedLoop({
        target: targetOf(server, bodiesFile),
        connections: CONNECTIONS,
        seconds: round === 0 ? warmupSeconds : closedLoopSeconds,
      });
      const after = cpuTimeOf(server.child.pid);
      if (round === 0) continue;
      results.add(throughputId, label, 'perSecond', answers / seconds);
      if (before === null || after === null) continue;
      results.add(cpuId, `${label}, ${cpuLabel}`, 'us', (after - before) / answers);
    }
  }
  results.recordTo(part);
  return results;
}
