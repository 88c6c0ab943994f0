import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { strategyCalls } from '@gatehouse/contract/strategies/calls'
import { installedChromium, launchChromium, packagedChromium, type ChromiumProgram } from '../support/chromium.ts'
import { takeOddKeys } from '../support/sent-keys.ts'

const PAGE = `<!doctype html><html lang="en"><title>Door</title>
<button onclick="document.querySelector('p').textContent = 'open'">Open</button><p>closed</p></html>`

async function servedPage(): Promise<string> {
  const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end(PAGE))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

async function expectItClicks(program: ChromiumProgram | undefined) {
  const browser = await launchChromium({}, program)
  onTestFinished(() => browser.close())
  const page = await browser.newPage()
  await page.goto(await servedPage())
  await page.getByRole('button', { name: 'Open' }).click()
  await expect.poll(() => page.getByRole('paragraph').textContent()).toBe('open')
  expect(await page.title()).toBe('Door')
}

test.skipIf(!installedChromium())('the Chromium of the system shows a page and clicks on it', () => expectItClicks(installedChromium()))

test.skipIf(process.platform !== 'linux' || process.arch !== 'x64')('the Chromium from npm does so too', async () =>
  expectItClicks(await packagedChromium()),
)

test('a page that sends a key no call knows, or a former name, is found out', async () => {
  const browser = await launchChromium()
  onTestFinished(() => browser.close())
  const page = await browser.newPage()
  await page.goto(await servedPage())
  const send = (path: string, body: object) =>
    page.evaluate(
      ([address, text]) =>
        fetch(address!, { method: 'POST', headers: { 'content-type': 'application/json' }, body: text! }).then(({ ok }) => ok),
      [path, JSON.stringify(body)],
    )
  const address = strategyCalls.create.url
  await send(address, { name: 'Day', methods: [4], timeRuleIds: [] })
  expect(takeOddKeys()).toEqual([])
  await send(address, { name: 'Day', until: 3 })
  expect(takeOddKeys()).toEqual([`POST ${address}: until`])
  await send(address, { name: 'Day', authorisedObject: 'both' })
  expect(takeOddKeys()).toEqual([`POST ${address}: a former name`])
})
