/** Checks for any screen: whether it is complete, what went wrong since, its texts, and where the keyboard leads. */
import type { Page } from 'playwright-core'
import { PERMISSION_CODES } from '@gatehouse/contract'
import { until } from './until.ts'

/** Observes the requests and error messages of a page. */
export interface Watch {
  /** Return what went wrong since the last call. */
  takeFaults(): Promise<string[]>
  /**
   * Wait until a screen is complete: no spinner, no pending request, and the page is idle.
   * @param title expected title of the window; null for a screen outside of menu and header
   */
  settled(title: string | null): Promise<void>
}

/** A request that was cancelled because the page was left. */
const GIVEN_UP = 'net::ERR_ABORTED'
/** The router's warning that it cannot ask before it leaves for an address that was typed, which is how the walk navigates. */
const TYPED_ADDRESS = 'You are trying to use a blocker on a POP navigation'

/**
 * Resolve once the page is idle and has drawn: whether the screen with this title is there, outside of the menu where it has none, and no
 * placeholder is left. A task of the lowest priority detects that the page is idle: after a change of the window's size, an idle callback
 * is not called before its time-out.
 */
const COMPLETE = `async (title) => {
  await scheduler.postTask(() => {}, { priority: 'background' })
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
  const seen = (selector) => [...document.querySelectorAll(selector)].some((element) => element.checkVisibility())
  const isThere = title === null ? !seen('#content') : seen('#content') && document.title.startsWith(title + ' · ')
  return isThere && seen('h1') && !seen('${[
    '.ant-skeleton',
    '.ant-spin-spinning',
    '.ant-btn-loading',
    '[data-refreshing]',
    '[data-pending]',
    '[aria-busy="true"]',
    '[data-row-key^="skeleton-"]',
    '[role="progressbar"]:not(.ant-progress)',
  ].join()}')
}`

export function watch(page: Page): Watch {
  let faults: Promise<string | null>[] = []
  const asked = new Set<object>()
  let answers = 0
  /** Record a fault with the screen on which it occurred. */
  const say = (fault: string): void => void faults.push(Promise.resolve(`${new URL(page.url()).hash}: ${fault}`))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !message.text().startsWith(TYPED_ADDRESS)) say(`console: ${message.text()}`)
  })
  page.on('pageerror', ({ message }) => say(`uncaught: ${message}`))
  page.on('request', (request) => void asked.add(request))
  page.on('requestfailed', (request) => {
    asked.delete(request)
    const why = request.failure()?.errorText
    if (why !== GIVEN_UP) say(`${why}: ${request.method()} ${request.url()}`)
  })
  page.on('requestfinished', (request) => {
    asked.delete(request)
    answers++
  })
  page.on('response', (response) => {
    const [status, from] = [response.status(), `${response.request().method()} ${response.url()}`]
    if (status >= 400) return say(`${status}: ${from}`)
    if (/json/.test(response.headers()['content-type'] ?? ''))
      faults.push(refusalIn(response).then((code) => code && `refused with ${code}: ${from}`))
  })
  return {
    async takeFaults() {
      const taken = faults
      faults = []
      return (await Promise.all(taken)).filter((fault) => fault !== null)
    },
    async settled(title) {
      await until(`${title ?? page.url()} to be complete`, async () => {
        const before = answers
        return (
          asked.size === 0 &&
          (await page.evaluate(`(${COMPLETE})(${JSON.stringify(title)})`)) === true &&
          asked.size === 0 &&
          answers === before
        )
      })
    },
  }
}

/** Return the error code of an answer; null for success, and where the page was left before the answer was read. */
async function refusalIn(response: { json(): Promise<unknown> }): Promise<string | null> {
  const { code } = ((await response.json().catch(() => null)) ?? {}) as { code?: number }
  return typeof code === 'number' && code !== 0 && code !== 200 ? String(code) : null
}

/**
 * Every text of the page, each as it stands in the markup: visible ones, and those that are read out or shown as tooltips. Text in `<code>`
 * is left out: names of permissions, jobs and files.
 */
const TEXTS = `(() => {
  const texts = [document.title]
  const seen = (element) => element.checkVisibility() && !element.closest('code, kbd, pre, script, style')
  const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (nodes.nextNode()) if (/\\S/.test(nodes.currentNode.data)
    && seen(nodes.currentNode.parentElement)) texts.push(nodes.currentNode.data.trim())
  for (const element of document.querySelectorAll('[aria-label], [title], [placeholder], [alt]'))
    if (seen(element)) texts.push(...['aria-label', 'title', 'placeholder',
      'alt'].map((name) => element.getAttribute(name)?.trim()).filter(Boolean))
  return texts
})()`

export const textsOf = async (page: Page): Promise<string[]> => [...new Set((await page.evaluate(TEXTS)) as string[])]

/**
 * Buttons and links that have no name but that of their icon, an English word that axe accepts as a name. The arrows of a table's pages are
 * named by their surroundings.
 */
const UNNAMED = `[...document.querySelectorAll('button:not(.ant-pagination-item-link), a[href], [role="button"]')]
  .filter((element) => element.querySelector('.anticon') && element.checkVisibility({ visibilityProperty: true }))
  .filter((element) => !element.innerText.trim() && !['aria-label', 'aria-labelledby', 'title'].some((name) => element.getAttribute(name)))
  .map((element) => element.outerHTML.slice(0, 200))`

export const unnamedOf = (page: Page) => page.evaluate(UNNAMED)

/** Titles that two columns of one table share: one of them must be wrong. */
const DOUBLED_COLUMNS = `[...document.querySelectorAll('.ant-table:not(.ant-table .ant-table)')]
  .filter((table) => table.checkVisibility())
  .map((table) => [...table.querySelectorAll('thead th')].map((cell) => cell.innerText.trim()).filter(Boolean))
  .flatMap((titles) => titles.filter((title, place) => titles.indexOf(title) !== place))`

export const doubledColumns = (page: Page) => page.evaluate(DOUBLED_COLUMNS)

/** The key of a text, which is shown where the text is missing: `feature:part.name`, or one word `likeThis`. */
const NAME_OF_TEXT = /\b(?:[a-z]\w*:)?[a-z]+[A-Za-z]*\.[a-z]+[A-Za-z.]*\b|^[a-z]+[A-Z][A-Za-z]*$/g
const CODES = new Set<string>(PERMISSION_CODES)
/** Whether a text that looks like a key is intended: codes of permissions, addresses of examples. */
const isMeant = (name: string): boolean => CODES.has(name) || name.endsWith('example.org')
/** Revisions that a device holds and should hold, one of which may be missing: they look like keys where they are of letters only. */
const REVISIONS = /^(?:[\w.-]+ )?\/(?: [\w.-]+)?$/
export const namesOfTexts = (texts: readonly string[]): string[] =>
  texts
    .filter((text) => !REVISIONS.test(text))
    .flatMap((text) => text.match(NAME_OF_TEXT) ?? [])
    .filter((name) => !isMeant(name))

/** Licences of the face engine's networks are named in English. */
const OF_AN_ENGINE = /^face (recognition|description) net\b/
/** Stored names of what the product includes, which screens show by a label. */
const STORED_NAME = /^(Administrator|24\/7)$/
/** Return texts with two words of English in a row and no Chinese character, and names that are stored in English. */
export const englishIn = (texts: readonly string[]): string[] =>
  texts.filter(
    (text) =>
      STORED_NAME.test(text) || (!/\p{Script=Han}/u.test(text) && /\b[A-Za-z]{2,} [a-z]{2,}\b/.test(text) && !OF_AN_ENGINE.test(text)),
  )

/** Places the keyboard has to reach, by name; null where the screen has none. */
const PLACES = `({
  'its main action': [...document.querySelectorAll('main .ant-btn-primary')],
  'its first filter': [...document.querySelectorAll('main [role="search"] input, main [role="search"] button')],
})`

/** Maximum number of Tab stops on a page. */
const STOPS = 150
/** Keys pressed between two checks. */
const STRIDE = 6

/**
 * Put the focus at the beginning of the main part. Return how many places there are to reach. The Tab key does nothing where one has been
 * reached, so that it can be pressed several times between two checks.
 */
const BEGIN = `(() => {
  const lookOf = (element) => {
    const { outline, boxShadow, borderColor, backgroundColor } = getComputedStyle(element)
    return [outline, boxShadow, borderColor, backgroundColor].join()
  }
  const walk = globalThis.walk ??= { places: new Map(), lookOf: (element) => [element, element.parentElement,
    element.parentElement.parentElement].map(lookOf).join() }
  if (!walk.listens) addEventListener('keydown', (event) => {
    if (event.key !== 'Tab' || !walk.places.has(document.activeElement)) return
    event.preventDefault()
    event.stopImmediatePropagation()
  }, true)
  walk.listens = true
  document.activeElement?.blur()
  const first = (elements) => elements.find((element) => element.checkVisibility() && !element.disabled)
  walk.places = new Map(Object.entries(${PLACES}).map(([name, elements]) => [first(elements), { name }]).filter(([element]) => element))
  for (const [element, place] of walk.places) Object.assign(place, { before: walk.lookOf(element),
    corners: getComputedStyle(element).borderRadius })
  walk.main = [...document.querySelectorAll('main')].find((element) => element.checkVisibility())
  if (walk.main?.hasAttribute('tabindex')) walk.main.focus()
  else getSelection().setPosition(walk.main ?? document.body, 0)
  return walk.places.size
})()`

/**
 * Remove the place that has the focus. Return what is wrong with it, which places are left, and whether the focus is still in the main
 * part.
 */
const REACHED = `(async () => {
  const { walk } = globalThis
  const element = document.activeElement
  const place = walk.places.get(element)
  walk.places.delete(element)
  await Promise.allSettled(element.getAnimations().map(({ finished }) => finished))
  const isSeen = !place || (element.matches(':focus-visible') && walk.lookOf(element) !== place.before)
  const keepsShape = !place || ['0px', getComputedStyle(element).borderRadius].includes(place.corners)
  return {
    fault: !isSeen ? place.name + ' does not show that it has the focus' : keepsShape ? null
      : place.name + ' changes its corners with the focus',
    left: [...walk.places.values()].map(({ name }) => name),
    inside: walk.main?.contains(element) === true,
  }
})()`

/** Return which of a screen's main action and first filter the keyboard does not reach, or not visibly. */
export async function keyboardFaults(page: Page): Promise<string[]> {
  const faults: string[] = []
  if ((await page.evaluate(BEGIN)) === 0) return faults
  for (let stops = 0; ; stops += STRIDE) {
    for (let key = 0; key < STRIDE; key++) await page.keyboard.press('Tab')
    const { fault, left, inside } = (await page.evaluate(REACHED)) as { fault: string | null; left: string[]; inside: boolean }
    if (fault !== null) faults.push(fault)
    if (left.length === 0) return faults
    if (!inside || stops > STOPS) return [...faults, `no way by the Tab key to ${left.join(' and ')}`]
  }
}

/**
 * Faults of the layout of a screen in a window of any size: it scrolls sideways, texts of its bars are cut without an ellipsis, controls of
 * a bar overlap, a strip scrolls by a few pixels, or the browser's own file input is shown.
 */
const LAYOUT = `(() => {
  const seen = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
  const said = (element) => element.tagName.toLowerCase() + ' "'
    + (element.innerText || element.getAttribute('aria-label') || element.className).trim().slice(0, 40) + '"'
  const all = [...document.querySelectorAll('body *')].filter(seen)
  const styleOf = (element) => getComputedStyle(element)
  const wider = (element) => element.scrollWidth > element.clientWidth + 1
  const isPage = (element) => element === document.documentElement || element.parentElement?.matches('main')
  const hidden = (element) => styleOf(element).clipPath !== 'none' || element.clientWidth <= 1
  const bars = all.filter((element) => element.matches('header, h1, [role="search"], main nav') || element.querySelector(':scope > h1'))
  const inBar = (element) => bars.some((bar) => bar.contains(element))
  const controls = (bar) => [...bar.querySelectorAll('h1, a, button, input:not([type="radio"], [type="checkbox"]), .ant-segmented')]
    .filter((element) => seen(element) && !hidden(element) && element.getBoundingClientRect().width > 2)
  const over = (one, other) => {
    const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()]
    return Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2
  }
  const related = (one, other) => one.contains(other) || other.contains(one) || ['.ant-input-affix-wrapper', '.ant-select',
    '.ant-picker'].some((frame) => one.closest(frame)?.contains(other))
  const pairs = bars.flatMap((bar) => controls(bar).flatMap((one, at, list) => list.slice(at + 1).filter((other) => !related(one,
    other) && over(one, other)).map((other) => [one, other])))
  return [...new Set([
    ...[document.documentElement, ...all].filter((element) => isPage(element)
      && wider(element)).map((element) => 'scrolls sideways: ' + said(element)),
    ...all.filter((element) => inBar(element) && !hidden(element) && wider(element)
      && /hidden|clip/.test(styleOf(element).overflowX) && !(styleOf(element).textOverflow === 'ellipsis'
        && element.closest('[title], [aria-current]')))
      .map((element) => 'cut: ' + said(element)),
    ...pairs.map(([one, other]) => said(one) + ' lies over ' + said(other)),
    ...all.filter((element) => !isPage(element) && /auto|scroll/.test(styleOf(element).overflowY)
      && element.scrollHeight > element.clientHeight && element.scrollHeight - element.clientHeight < 8)
      .map((element) => 'scrolls by a few pixels: ' + said(element)),
    ...all.filter((element) => element.matches('input[type="file"]')
      && element.clientWidth > 1).map((element) => 'the file input of the browser: ' + said(element)),
  ])]
})()`

/** A tablet at the gate, and a phone. */
const SIZES = [
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
] as const
const DRAWN = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))'

/** Return the layout faults of the page, in its own size and in smaller ones; its own size is restored afterwards. */
export async function layoutFaults(page: Page): Promise<string[]> {
  const own = page.viewportSize()!
  const faults: string[] = []
  for (const size of [own, ...SIZES]) {
    await page.setViewportSize(size)
    await page.evaluate(DRAWN)
    faults.push(...((await page.evaluate(LAYOUT)) as string[]).map((fault) => `${size.width} px: ${fault}`))
  }
  await page.setViewportSize(own)
  return faults
}
