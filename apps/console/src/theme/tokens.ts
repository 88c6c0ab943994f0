/**
 * Colours and sizes, defined once for both themes. antd takes them through `antd.ts`, style sheets as CSS variables
 * (`--text`, `--status-ok-text`). Each text colour has AA contrast on the surfaces it is used on: tokens.test.ts.
 */
export type Mode = 'light' | 'dark'

/** One colour for each meaning; always shown with a word or an icon. */
export const STATUSES = ['ok', 'bad', 'wait', 'off', 'info'] as const
export type Status = (typeof STATUSES)[number]

export interface Palette {
  /** Background of the content, of the menu, and of what is shown above both. */
  surface: string
  sunken: string
  raised: string
  hover: string
  line: string
  /** Outline of a control. */
  outline: string
  text: string
  text2: string
  text3: string
  /** The one accent: as a fill below white text, as a text, as a tint. */
  accent: string
  /** The same under the pointer: white text on it is still readable. */
  accentHover: string
  accentText: string
  accentSoft: string
  /**
   * An urgent alarm: as a fill below white text, as the background of its card with the texts on it, as a tint below every text.
   * Nothing else has this colour.
   */
  alarm: string
  alarmGround: string
  alarmText: string
  alarmText2: string
  alarmSoft: string
  /** Text, tint and dot of each status; text on a fill of the dot's colour has the colour of the surface. */
  status: Record<Status, { text: string; soft: string; solid: string }>
}

export const palettes: Record<Mode, Palette> = {
  light: {
    surface: '#ffffff',
    sunken: '#f5f6f9',
    raised: '#ffffff',
    hover: '#eef0f5',
    line: '#e4e7ed',
    outline: '#bcc3cf',
    text: '#191c23',
    text2: '#474e5c',
    text3: '#5a6271',
    accent: '#3a4fd0',
    accentHover: '#3145bd',
    accentText: '#3348c4',
    accentSoft: '#ebeefd',
    alarm: '#c00d22',
    alarmGround: '#1d0a0d',
    alarmText: '#fff4f3',
    alarmText2: '#e6bdb9',
    alarmSoft: '#fbe4e8',
    status: {
      ok: { text: '#12653a', soft: '#e4f5ea', solid: '#1f9d55' },
      bad: { text: '#ad1f1d', soft: '#fdebea', solid: '#cf2a27' },
      wait: { text: '#824600', soft: '#fdf0da', solid: '#d97706' },
      off: { text: '#474e5c', soft: '#edeff3', solid: '#7d8594' },
      info: { text: '#2f43b8', soft: '#ebeefd', solid: '#4a60e6' },
    },
  },
  dark: {
    surface: '#14161b',
    sunken: '#0e1014',
    raised: '#1c1f26',
    hover: '#21252e',
    line: '#2a2e38',
    outline: '#485060',
    text: '#e8eaef',
    text2: '#b0b7c4',
    text3: '#9aa2b1',
    accent: '#4d61e2',
    accentHover: '#4356d4',
    accentText: '#a3b0ff',
    accentSoft: '#1e2446',
    alarm: '#d01f35',
    alarmGround: '#240a0e',
    alarmText: '#fff4f3',
    alarmText2: '#e6bdb9',
    alarmSoft: '#390f17',
    status: {
      ok: { text: '#74d99f', soft: '#12291c', solid: '#35b36c' },
      bad: { text: '#ff9f9b', soft: '#361918', solid: '#f35e5b' },
      wait: { text: '#f2bd6f', soft: '#30230d', solid: '#e39a2d' },
      off: { text: '#b6bcc9', soft: '#262a33', solid: '#7d8594' },
      info: { text: '#aab6ff', soft: '#1e2446', solid: '#7285ff' },
    },
  },
}

/** Return the palette as CSS custom properties, with the status colours flattened: `--status-ok-soft`. */
export function cssVariablesOf(mode: Mode): Record<string, string> {
  const { status, ...flat } = palettes[mode]
  return Object.fromEntries([
    ...Object.entries(flat).map(([name, value]) => [`--${name.replace(/[A-Z0-9]/g, (letter) => `-${letter.toLowerCase()}`)}`, value]),
    ...STATUSES.flatMap((name) => Object.entries(status[name]).map(([part, value]) => [`--status-${name}-${part}`, value])),
  ])
}
