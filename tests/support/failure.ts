/** The state of a page when its test failed: kept in `.cache/test/failures`, named in the output of the run. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { onTestFinished } from 'vitest'

const FOLDER = join(import.meta.dirname, '..', '..', '.cache', 'test', 'failures')
const MOST_LINES = 60

/**
 * A second attempt is recorded step by step, to be opened with `npx playwright show-trace`; the first is not, since recording slows down
 * every test.
 */
const TRACED = process.env.BROWSER_TRACE !== undefined

const tracing = new WeakSet<BrowserContext>()
async function startTrace(context: BrowserContext): Promise<void> {
  if (!tracing.has(context)) await context.tracing.start({ screenshots: true, snapshots: true })
  tracing.add(context)
  await context.tracing.startChunk()
}

/**
 * Keep screenshot, address and accessible texts of the page if the present test fails. Called after the callback that closes the page is
 * registered: callbacks run in reverse order.
 */
export async function keepWhenFailed(page: Page): Promise<void> {
  const context = page.context()
  if (TRACED) await startTrace(context)
  onTestFinished(async ({ task }) => {
    const failed = task.result?.state === 'fail'
    const file = join(FOLDER, `${task.file.name}-${task.name}`.replaceAll(/[^\w.]+/g, '-').slice(0, 150))
    if (TRACED) await context.tracing.stopChunk(failed ? { path: `${file}.zip` } : {}).catch(() => {})
    if (!failed || page.isClosed()) return
    mkdirSync(FOLDER, { recursive: true })
    const texts = await page
      .locator('body')
      .ariaSnapshot({ timeout: 5_000 })
      .catch((error: unknown) => `The page does not answer: ${String(error)}`)
    writeFileSync(`${file}.txt`, `${page.url()}\n${texts}\n`)
    await page.screenshot({ path: `${file}.png`, timeout: 5_000 }).catch(() => {})
    const lines = texts.split('\n')
    console.log(
      [
        `${task.name}: failed on ${page.url()}, kept as ${file}.png`,
        ...lines.slice(0, MOST_LINES),
        ...(lines.length > MOST_LINES ? ['…'] : []),
      ].join('\n'),
    )
  })
}
