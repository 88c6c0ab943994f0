import { theme } from 'antd'
import { describe, expect, test } from 'vitest'
import { antdThemeOf } from './antd.ts'
import { contrast } from './testing/contrast.ts'
import { palettes, type Mode } from './tokens.ts'

/** Minimum contrast of a text, by WCAG 2 AA. */
const READABLE = 4.5

describe.each(['light', 'dark'] as Mode[])('antd in the %s theme', (mode) => {
  const { surface, raised, hover, status } = palettes[mode]
  const config = antdThemeOf(mode, true)
  /** Return the tokens of a component: the theme's values with its own in their place. */
  const tokensOf = (component: 'Button' | 'Dropdown' | 'Form'): Record<string, string> =>
    ({ ...theme.getDesignToken(config), ...config.components?.[component] }) as unknown as Record<string, string>
  /** Return the backgrounds on which the text is not readable. */
  const unreadable = (text = '', ...grounds: (string | undefined)[]): string[] =>
    grounds.filter((ground = '') => !(contrast(text, ground) >= READABLE)).map((ground) => `${text} on ${ground}`)

  test('a red button is readable at rest, under the pointer and pressed', () => {
    const { dangerColor, colorTextLightSolid, colorError, colorErrorHover, colorErrorActive } = tokensOf('Button')
    expect(unreadable(dangerColor ?? colorTextLightSolid, colorError, colorErrorHover, colorErrorActive)).toEqual([])
  })

  test('a button with a red text is readable wherever it stands, also on the tints it takes', () => {
    const { colorError, colorErrorHover, colorErrorActive, colorErrorBg, colorErrorBgActive } = tokensOf('Button')
    expect(unreadable(colorError, surface, raised, hover)).toEqual([])
    expect(unreadable(colorErrorHover, surface, raised, hover, colorErrorBg)).toEqual([])
    expect(unreadable(colorErrorActive, surface, raised, hover, colorErrorBgActive)).toEqual([])
  })

  test('a red entry of a menu is readable, and filled under the pointer', () => {
    const { colorError, colorTextLightSolid } = tokensOf('Dropdown')
    expect(unreadable(colorError, raised)).toEqual([])
    expect(unreadable(colorTextLightSolid, colorError)).toEqual([])
  })

  test('what a form says of a field is readable', () => {
    expect(unreadable(tokensOf('Form')['colorError'], surface, raised)).toEqual([])
  })

  test('information has the colour of its status', () => {
    expect(config.token?.colorInfo).toBe(status.info.solid)
    const { colorText, colorInfoBg } = theme.getDesignToken(config)
    expect(unreadable(colorText, colorInfoBg)).toEqual([])
  })
})
