/** Findings of the lint, errors first, each with the cart that shows it where there is one. */
import type { Schemas } from '../../client/call-table.ts';
import { useSignedIn } from '../app-state.ts';
import { numberText } from '../english.ts';
import { Answered, Notice } from '../parts/notice.tsx';
import { LongList } from '../parts/rows.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { linkTo, testerLink } from '../place.ts';
import { withoutDirection } from '../words.ts';

type Finding = Schemas['Finding'];

const SEVERITIES = { error: ['bad', 'Error'], warning: ['warning', 'Warning'], info: ['', 'Note'] } as const;

/** The page that edits a record of the kind; subzones and rules are edited with the record that they belong to. */
const EDITORS: Readonly<Record<Finding['record']['kind'], string>> = {
  zone: 'zones',
  subzone: 'zones',
  productGroup: 'groups',
  method: 'methods',
  rule: 'methods',
  blendedRate: 'blends',
  check: 'checks',
};

export function FindingsPanel() {
  const { calls } = useSignedIn();
  const answer = useAnswer((signal) => calls.lintConfig({ query: { view: 'live' }, signal }), []);
  return (
    <section className="panel stack" aria-label="Findings" aria-busy={answer.isLoading}>
      <h2>
        Findings <span className="count">{answer.value?.findings.length ?? '…'}</span>
      </h2>
      <Answered answer={answer} what="the findings">
        {({ findings, omitted }) => (
          <>
            {findings.length === 0 ? (
              <Notice kind="good">Nothing in the configuration is wrong or doubtful.</Notice>
            ) : (
              <LongList rows={findings} step={10}>
                {(finding) => <FindingLine finding={finding} />}
              </LongList>
            )}
            {omitted.map(({ code, count }) => (
              <p key={code} className="quiet">
                {numberText(count)} more findings of the kind <code>{code}</code> are not listed.
              </p>
            ))}
          </>
        )}
      </Answered>
    </section>
  );
}

interface FindingProps {
  readonly finding: Finding;
  /** What the tester shows side by side for its cart. */
  readonly columns?: string;
}

export function FindingLine({
  finding: { severity, message, record, witness },
  columns = 'live',
}: FindingProps) {
  const [kind, name] = SEVERITIES[severity];
  const methodId =
    record.kind === 'method' ? record.id : record.kind === 'rule' ? record.parentId : undefined;
  return (
    <>
      <span className={`badge ${kind}`}>{name}</span> {withoutDirection(message)}{' '}
      <a href={linkTo(EDITORS[record.kind], { open: record.parentId ?? record.id })}>Open the record</a>
      {witness === null ? null : ' · '}
      {witness === null ? null : (
        <a data-row href={testerLink(witness.request, { at: witness.at, columns, open: methodId ?? '' })}>
          Open a cart that shows it
        </a>
      )}
    </>
  );
}
