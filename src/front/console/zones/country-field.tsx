/** The countries of a zone, by name: each can be removed, and typed or pasted names and codes are added. */
import { useContext, useId, useMemo, useState } from 'preact/hooks';
import { useSignedIn } from '../app-state.ts';
import { FieldErrors, TextField } from '../parts/field.tsx';
import { countryName, countryOptions } from '../place-names.ts';

/** Every country that no other zone lists. */
const REST = '*';

interface CountryFieldProps {
  readonly countries: readonly string[];
  readonly onCountries: (countries: readonly string[]) => void;
}

export function CountryField({ countries, onCountries }: CountryFieldProps) {
  const { mayWrite } = useSignedIn();
  const [text, setText] = useState('');
  const [refusal, setRefusal] = useState('');
  const listId = useId();
  const options = useMemo(() => [[REST, countryName(REST)] as const, ...countryOptions()], []);
  const errors = useContext(FieldErrors);
  const codeOf = (typed: string): string | undefined =>
    options.find(([code, label]) =>
      [code, label, countryName(code)].some((name) => name.toLowerCase() === typed.toLowerCase()),
    )?.[0];
  const add = (): void => {
    // The whole text first: names such as "Bonaire, Sint Eustatius and Saba" have a comma.
    const whole = codeOf(text.trim());
    const typed = whole === undefined ? text.split(/[,;\n\t]/) : [text];
    const named = typed.map((name) => name.trim()).filter((name) => name !== '');
    const unknown = named.filter((name) => codeOf(name) === undefined);
    const added = named.flatMap((name) => codeOf(name) ?? []);
    if (added.length > 0) onCountries([...new Set([...countries, ...added])]);
    setText(unknown.join(', '));
    setRefusal(unknown.length === 0 ? '' : `No country is called ${unknown.join(' or ')}`);
  };
  const listed = [...errors].flatMap(([path, error]) => {
    const index = /^\/countries(?:\/(\d+))?$/.exec(path);
    return index === null ? [] : [`${countries[Number(index[1])] ?? 'Countries'} ${error}`];
  });
  return (
    <fieldset>
      <legend>Countries</legend>
      {countries.length === 0 ? <p class="quiet">None yet: no cart reaches this zone.</p> : null}
      <ul class="chips" aria-label="Countries of the zone">
        {countries.map((code) => (
          <li key={code}>
            <button
              type="button"
              class="chip"
              aria-label={`Remove ${countryName(code)}`}
              onClick={() => onCountries(countries.filter((other) => other !== code))}
            >
              {countryName(code)} <span aria-hidden="true">✕</span>
            </button>
          </li>
        ))}
      </ul>
      {mayWrite ? (
        <div class="row ends">
          <TextField
            class="wide"
            label="Add countries, by name or code"
            value={text}
            list={listId}
            onEnter={add}
            placeholder="Austria, DE, Rest of world"
            onValue={(typed) => {
              setText(typed);
              setRefusal('');
            }}
          />
          <button type="button" onClick={add}>
            Add
          </button>
        </div>
      ) : null}
      {[refusal, ...listed]
        .filter((error) => error !== '')
        .map((error) => (
          <p key={error} class="error" role="alert">
            {error}
          </p>
        ))}
      <datalist id={listId}>
        {options.map(([code, label]) => (
          <option key={code} value={label} />
        ))}
      </datalist>
    </fieldset>
  );
}
