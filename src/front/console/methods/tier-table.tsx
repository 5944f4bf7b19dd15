/** Tiers as a table of fields. Cells of a spreadsheet are pasted into any field, or into the text of a dialog. */
import { useState } from 'preact/hooks';
import { useApp, useSignedIn } from '../app-state.ts';
import { fieldText } from '../labels.ts';
import { Dialog } from '../parts/dialog.tsx';
import { TextField } from '../parts/field.tsx';
import { Notice } from '../parts/notice.tsx';
import { kindOfNumber } from '../words.ts';
import type { Tier } from './method-kind.ts';
import { NumberField } from './number-field.tsx';
import type { ConfigSchema } from './rate-words.ts';
import { parseTiers } from './tier-paste.ts';

interface TierTableProps {
  /** Of one tier. */
  readonly schema: ConfigSchema;
  readonly tiers: readonly Tier[];
  readonly onTiers: (tiers: readonly Tier[]) => void;
}

export function TierTable({ schema, tiers, onTiers }: TierTableProps) {
  const app = useApp();
  const { currency } = useSignedIn().shop;
  const [isPasting, setPasting] = useState(false);
  const [refusal, setRefusal] = useState('');
  const [begin = '', end = '', price = ''] = Object.keys(schema.properties ?? {});
  const columns = [begin, end, price] as const;
  const take = (text: string): boolean => {
    const pasted = parseTiers(text, columns, currency);
    setRefusal(typeof pasted === 'string' ? pasted : '');
    if (typeof pasted === 'string') return false;
    onTiers(pasted);
    app.message.value = `Pasted ${pasted.length} tiers in place of ${tiers.length}`;
    return true;
  };
  /** A bound that two tiers share stays shared. */
  const set = (index: number, name: string, value: number | null): void =>
    onTiers(
      tiers.map((tier, at) => {
        if (at === index) return { ...tier, [name]: value };
        const old = tiers[index]?.[name];
        if (old == null || value === null) return tier;
        if (name === end && at === index + 1 && tier[begin] === old) return { ...tier, [begin]: value };
        if (name === begin && at === index - 1 && tier[end] === old) return { ...tier, [end]: value };
        return tier;
      }),
    );
  const add = (): void => {
    const last = tiers.at(-1);
    onTiers([...tiers, { [begin]: last?.[end] ?? null, [end]: null, [price]: last?.[price] ?? 0 }]);
  };
  return (
    <>
      <table
        class="tiers"
        onPaste={(event) => {
          const text = event.clipboardData?.getData('text') ?? '';
          if (!/[\t\n]/.test(text.trim())) return;
          event.preventDefault();
          take(text);
        }}
      >
        <caption>
          Tiers <span class="count">{tiers.length}</span>
        </caption>
        <thead>
          <tr>
            <th scope="col">From</th>
            <th scope="col">Below (empty: no end)</th>
            <th scope="col">Price ({currency})</th>
            <th scope="col">
              <span class="only-read">Remove</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {tiers.map((tier, index) => (
            // Tiers have no identity but their place.
            <tr key={index}>
              {columns.map((name) => (
                <td key={name}>
                  <NumberField
                    class="cell"
                    kind={kindOfNumber(name)}
                    label={fieldText(['tiers', String(index), name])}
                    path={`/config/tiers/${index}/${name}`}
                    value={tier[name] ?? null}
                    onValue={(value) => set(index, name, value)}
                  />
                </td>
              ))}
              <td>
                <button
                  type="button"
                  class="plain"
                  aria-label={`Remove tier ${index + 1}`}
                  onClick={() => onTiers(tiers.filter((_, at) => at !== index))}
                >
                  ✕
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {refusal === '' || isPasting ? null : <Notice kind="bad">Nothing was pasted. {refusal}</Notice>}
      <div class="row wrap">
        <button type="button" onClick={add}>
          Add a tier
        </button>
        <button type="button" onClick={() => setPasting(true)}>
          Paste from a spreadsheet…
        </button>
      </div>
      {isPasting ? (
        <PasteDialog
          refusal={refusal}
          onTake={(text) => take(text) && setPasting(false)}
          onClose={() => {
            setPasting(false);
            setRefusal('');
          }}
        />
      ) : null}
    </>
  );
}

interface PasteDialogProps {
  readonly refusal: string;
  readonly onTake: (text: string) => void;
  readonly onClose: () => void;
}

/** Not a form, because it is inside the form of the method. */
function PasteDialog({ refusal, onTake, onClose }: PasteDialogProps) {
  const [text, setText] = useState('');
  return (
    <Dialog title="Paste tiers" onClose={onClose}>
      <div class="stack">
        <TextField
          label="Rows of a spreadsheet"
          value={text}
          onValue={setText}
          lines={10}
          hint="From, to below and price; or from and price, and each tier ends where the next begins. A heading may say kg."
        />
        {refusal === '' ? null : <Notice kind="bad">{refusal}</Notice>}
        <button type="button" class="primary" onClick={() => onTake(text)}>
          Replace the tiers
        </button>
      </div>
    </Dialog>
  );
}
