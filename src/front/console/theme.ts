/**
 * How the console looks: one accent, grays, small radii, texts of 14 px and controls of 32 px. The colours of own styles
 * (`styles/tokens.css`) are taken from here.
 */
import { type CSSVariablesResolver, createTheme, type MantineColorsTuple, rem } from '@mantine/core';

/** Ten from light to dark. */
const shades = (text: string): MantineColorsTuple =>
  text.split(' ').map((code) => `#${code}`) as unknown as MantineColorsTuple;
const accent = shades('eaf6f2 d3ebe4 a9d8c9 7fd3bb 4fb296 2c9a7c 198366 0f6f5a 0b5d4e 084a3f');
const red = shades('fdecea fbd5d1 f6aca5 ffada4 ee7a70 dd5348 c93a2f b52a20 a1231a 831b14');
const gray = shades('f6f7f8 eef0f2 e2e5e9 d3d8dd bcc3ca 8b939d 68717c 565e68 333a42 1b1f24');
const dark = shades('e4e7ea c5cad0 a3aab3 7c848e 3a4149 2a3037 1c2126 171b1f 111417 0b0d0f');

export const theme = createTheme({
  colors: { accent, gray, dark, red },
  primaryColor: 'accent',
  // White texts have a contrast of 4.5 to 1 on them.
  primaryShade: { light: 8, dark: 7 },
  white: '#ffffff',
  black: '#1b1f24',
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontFamilyMonospace: 'ui-monospace, monospace',
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: rem(20), lineHeight: '1.3' },
      h2: { fontSize: rem(16), lineHeight: '1.4' },
      h3: { fontSize: rem(14), lineHeight: '1.45' },
    },
  },
  fontSizes: { xs: rem(12), sm: rem(13), md: rem(14), lg: rem(16), xl: rem(20) },
  spacing: { xs: rem(6), sm: rem(10), md: rem(16), lg: rem(20), xl: rem(28) },
  defaultRadius: 'sm',
  radius: { xs: rem(3), sm: rem(6), md: rem(8), lg: rem(12), xl: rem(16) },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Button: { defaultProps: { variant: 'default' } },
    InputWrapper: { defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] } },
  },
});

/** Texts beside the main one keep a contrast of 4.5 to 1 on every ground. */
export const themeVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': gray[7],
    '--mantine-color-placeholder': gray[6],
    '--mantine-color-error': '#a1231a',
  },
  dark: {
    '--mantine-color-anchor': accent[3],
    // What is chosen is lighter than its ground, as in light.
    '--mantine-color-accent-light': '#1b3932',
    '--mantine-color-accent-light-hover': '#21463d',
    '--mantine-color-dimmed': dark[2],
    '--mantine-color-placeholder': dark[2],
    '--mantine-color-error': '#ffada4',
  },
});
