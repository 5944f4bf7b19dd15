/**
 * Methods and their rules: a list by zone and group, and an editor with a cart that tries the edit before it is saved. The
 * open method, the search and the cart are in the link; what was typed and not saved stays in the tab.
 */
import { useApp, useSignedIn } from '../app-state.ts';
import { FirstSteps } from '../parts/first-steps.tsx';
import { FailureNotice, Loading } from '../parts/notice.tsx';
import { useEditorKey } from '../parts/record-list.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { NEW } from '../parts/use-record.ts';
import type { Vocabulary } from './condition-words.ts';
import { MethodEditor } from './method-editor.tsx';
import { copyOf, draftOf, type MethodDraft } from './method-kind.ts';
import { MethodList } from './method-list.tsx';
import { firstConfig, schemaOf } from './rate-words.ts';
import type { Config } from './trial.ts';

export function MethodsPage() {
  const { changeset } = useApp();
  const { calls } = useSignedIn();
  const config = useAnswer((signal) => calls.getConfig({ signal }), [changeset.value?.id ?? null]);
  const words = useAnswer((signal) => calls.getVocabulary({ signal }), []);
  const failure = config.failure ?? words.failure;
  if (config.value === null || words.value === null) {
    return <Loading what="methods" failure={failure} />;
  }
  return (
    <>
      <FailureNotice failure={failure} />
      <Methods config={config.value} vocabulary={words.value.vocabulary} />
    </>
  );
}

interface MethodsProps {
  readonly config: Config;
  readonly vocabulary: Vocabulary;
}

function Methods({ config, vocabulary }: MethodsProps) {
  const app = useApp();
  const { mayWrite } = useSignedIn();
  const { open = '', like = '', zone = '' } = app.place.value.parameters;
  const editorKey = useEditorKey(open);
  const isEditing = open !== '' && config.zones.length > 0;
  return (
    <>
      <h1 class="only-read">Methods and rules</h1>
      <div class={`methods ${isEditing ? 'with-editor' : ''}`}>
        <div class={`panel stack list ${isEditing ? 'pane' : ''}`}>
          <div class="row between wrap">
            <h2>Methods</h2>
            {mayWrite && config.zones.length > 0 ? (
              <button
                type="button"
                class={isEditing ? '' : 'primary'}
                onClick={() => app.set({ open: NEW, like: '' }, false)}
              >
                New method
              </button>
            ) : null}
          </div>
          {config.methods.length === 0 ? (
            <EmptyState config={config} />
          ) : (
            <MethodList config={config} openId={open} />
          )}
        </div>
        {isEditing ? (
          <MethodEditor
            key={editorKey}
            config={config}
            vocabulary={vocabulary}
            id={open}
            first={firstDraft(config, vocabulary, like, zone)}
          />
        ) : null}
      </div>
    </>
  );
}

const EmptyState = ({ config }: { readonly config: Config }) =>
  config.zones.length === 0 ? (
    <FirstSteps />
  ) : (
    <p>
      No methods yet: no cart is offered a rate. A method is a service with a price, for a zone and a product
      group.
    </p>
  );

/** A copy of the method `like`, else a method with a flat price of 0. */
function firstDraft(config: Config, { rateTypes }: Vocabulary, like: string, zone: string): MethodDraft {
  const model = config.methods.find(({ id }) => id === like);
  if (model !== undefined) return copyOf(draftOf(model));
  const group = config.productGroups.find(({ isDefault }) => isDefault);
  return {
    name: '',
    subtitle: '',
    serviceCode: '',
    zoneId: zone || (config.zones[0]?.id ?? ''),
    productGroupId: group?.id ?? '',
    rateType: 'flat',
    config: firstConfig(schemaOf(rateTypes, 'flat')),
    enabled: true,
    freeShippingThreshold: null,
    thresholdBasis: 'cart_total',
    delivery: null,
    phoneRequired: false,
    rules: [],
  };
}
