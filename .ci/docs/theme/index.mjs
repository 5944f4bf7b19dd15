// The theme of VitePress in the colours of the console.
import theme from 'vitepress/theme';
import './colours.css';

// biome-ignore lint/style/noDefaultExport: VitePress takes its theme from the default export.
export default theme;
