// The settings of VitePress, which reads them from a copy beside the pages.
import { readFileSync } from 'node:fs';
import { anchorOf } from './pages.mjs';

const { navigation } = JSON.parse(readFileSync(new URL('./site.json', import.meta.url), 'utf8'));

/** The text that is searched needs no colours, which cost half of the build. */
function renderForSearch(source, env, markdown) {
  const { highlight } = markdown.options;
  markdown.set({ highlight: null });
  const html = markdown.render(source, env);
  markdown.set({ highlight });
  return env.frontmatter?.search === false ? '' : html;
}

// biome-ignore lint/style/noDefaultExport: VitePress takes its settings from the default export.
export default {
  title: 'Ratewright',
  description: 'Shipping rates for a cart, and why',
  lang: 'en',
  outDir: '../../docs',
  // Links that lead nowhere fail the build; examples name services on the reader's own machine.
  ignoreDeadLinks: 'localhostLinks',
  markdown: {
    anchor: { slugify: anchorOf },
    // A text such as <key> is no element.
    config: (markdown) => void markdown.set({ html: false }),
  },
  themeConfig: {
    search: { provider: 'local', options: { detailedView: true, _render: renderForSearch } },
    outline: { level: [2, 3] },
    docFooter: { prev: false, next: false },
    nav: [
      { text: 'Start', link: '/' },
      { text: 'Recipes', link: '/data/recipes/' },
      { text: 'API', link: '/api/' },
      { text: 'Changes', link: '/CHANGELOG' },
    ],
    sidebar: navigation,
  },
};
