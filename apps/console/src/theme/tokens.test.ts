import { describe, expect, test } from 'vitest'
import { contrast } from './testing/contrast.ts'
import { cssVariablesOf, palettes, STATUSES, type Mode } from './tokens.ts'

describe.each(['light', 'dark'] as Mode[])('%s theme', (mode) => {
  const palette = palettes[mode]

  test('every text colour is readable on every surface', () => {
    for (const text of [palette.text, palette.text2, palette.text3, palette.accentText])
      for (const ground of [palette.surface, palette.sunken, palette.raised, palette.hover])
        expect(contrast(text, ground), `${text} on ${ground}`).toBeGreaterThanOrEqual(4.5)
  })

  test('a status is readable on its tint, and as a plain text', () => {
    for (const name of STATUSES) {
      const { text, soft, solid } = palette.status[name]
      for (const ground of [soft, palette.surface, palette.hover])
        expect(contrast(text, ground), `${name} on ${ground}`).toBeGreaterThanOrEqual(4.5)
      expect(contrast(solid, palette.surface), `${name} dot`).toBeGreaterThanOrEqual(3)
    }
  })

  test('an alarm is readable: white on its fill, its texts on its card, every text on its tint, and it stands out', () => {
    const { alarm, alarmGround, alarmText, alarmText2, alarmSoft, text, text2, text3, accentText, status } = palette
    expect(contrast('#ffffff', alarm)).toBeGreaterThanOrEqual(4.5)
    for (const words of [alarmText, alarmText2]) expect(contrast(words, alarmGround), words).toBeGreaterThanOrEqual(7)
    for (const words of [text, text2, text3, accentText, status.bad.text])
      expect(contrast(words, alarmSoft), words).toBeGreaterThanOrEqual(4.5)
    expect(contrast(alarm, palette.surface)).toBeGreaterThanOrEqual(3)
  })

  test('white stands on the accent, the accent text on its tint', () => {
    for (const fill of [palette.accent, palette.accentHover]) expect(contrast('#ffffff', fill), fill).toBeGreaterThanOrEqual(4.5)
    expect(contrast(palette.accentText, palette.accentSoft)).toBeGreaterThanOrEqual(4.5)
  })
})

test('style sheets get the palette by name', () => {
  expect(cssVariablesOf('dark')).toMatchObject({
    '--accent-soft': palettes.dark.accentSoft,
    '--text-2': palettes.dark.text2,
    '--status-bad-solid': palettes.dark.status.bad.solid,
  })
})
