/** A page in its print layout, which a test can inspect. */
import type { Page } from 'playwright-core'

/** Pixels between margins of 12 mm of an A4 page in landscape. */
const LYING = { width: 1032, height: 703 }

/** Texts of elements that reach beyond the right edge of the paper, or can be pressed. */
const FAULTS = `(() => {
  const seen = (element) => element.checkVisibility({ visibilityProperty: true })
  const said = (element) => element.tagName.toLowerCase() + ' ' + (element.innerText || element.getAttribute('aria-label')
    || element.className)
  const all = [...document.querySelectorAll('body *')].filter(seen)
  return [
    ...all.filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
      .map((element) => 'beyond the edge: ' + said(element)),
    ...all.filter((element) => element.matches('nav, [role="menuitem"], .ant-btn, [role="search"]'))
      .map((element) => 'of the screen: ' + said(element)),
    ...all.filter((element) => element.scrollWidth > element.clientWidth + 1
      && /hidden|auto|scroll/.test(getComputedStyle(element).overflowX)).map((element) => 'cut: ' + said(element)),
  ]
})()`

export interface Paper {
  /** Texts of elements that do not belong on paper, or do not fit. */
  faults: string[]
  /** Background colour. */
  ground: string
  pages: number
}

/**
 * Lay the page out as it is printed on A4, and print it.
 * @param look inspects the page while it is laid out for print
 */
export async function onPaper(page: Page, look?: () => Promise<void>): Promise<Paper> {
  await page.setViewportSize(LYING)
  await page.emulateMedia({ media: 'print' })
  await page.evaluate(`dispatchEvent(new Event('beforeprint'))`)
  const faults = (await page.evaluate(FAULTS)) as string[]
  const ground = (await page.evaluate('getComputedStyle(document.body).backgroundColor')) as string
  await look?.()
  await page.evaluate(`dispatchEvent(new Event('afterprint'))`)
  const printed = await page.pdf({ format: 'A4', landscape: true })
  await page.emulateMedia({ media: null })
  return { faults, ground, pages: printed.toString('latin1').match(/\/Type \/Page\b/g)?.length ?? 0 }
}
