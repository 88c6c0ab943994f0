/** Keys, key cards and issued cards, as an administrator handles them, with a terminal as collector and simulated cards on it. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cardCalls } from '@gatehouse/contract/cards/calls'
import type { World, WorldTerminal } from '@gatehouse/dev-env/world'
import { fakeM1, type FakeCard } from '../../apps/server/src/contexts/cards/testing/card.ts'
import { expectAccessible, formReady, pagesOf } from '../support/console.ts'
import { drawnFace } from '../support/fixtures.ts'
import { until } from '../support/until.ts'
import { sharedBrowser, sharedWorld } from '../support/stage.ts'

let world: World
let browser: Browser
let desk: WorldTerminal
/** The card on the writer; it is there at once. */
let onWriter: FakeCard = fakeM1()
beforeAll(async () => {
  world = await sharedWorld()
  browser = await sharedBrowser()
  desk = await world.terminal(await world.device({ type: 13, name: 'Front desk' }), {
    collector: { port: { transmit: (apdus) => onWriter.transmit(apdus) } },
  })
})
afterAll(async () => {
  await world?.stop()
})

const show = pagesOf(() => ({ browser, world }))
const VALUE = '00112233445566778899AABBCCDDEEFF'

/** Present a card or palm to the collector once it waits for one. */
const present = (what: 'card' | 'palm', body: string | Uint8Array<ArrayBuffer>) =>
  until(
    `the collector to wait for a ${what}`,
    async () =>
      (await fetch(`${desk.url}collector/${what}`, { method: 'POST', headers: { 'content-type': 'application/octet-stream' }, body }))
        .status === 200,
  )

const keyed = () =>
  world.call(cardCalls.createKey, { body: { type: 'leader', name: 'Leader', value: VALUE, confirmation: VALUE, replace: true } })

async function chooseCollector(page: Page, label: string): Promise<void> {
  await page.getByLabel(label).click()
  await page.locator('.ant-select-dropdown:visible').getByText('Front desk').click()
}

test('a leader key is typed twice, and only its check value is shown', { tags: 'extended' }, async () => {
  const page = await show('/leaderCard')
  await page.getByText('Not created').waitFor()
  await page.getByRole('button', { name: 'Create the key' }).click()
  const form = page.getByRole('dialog', { name: /Create the key/ })
  await formReady(page)
  await form.getByLabel('Key', { exact: true }).fill(VALUE)
  await form.getByLabel('Key, once more').fill(VALUE.slice(1))
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByText('The two entries differ.').waitFor()
  await form.getByLabel('Key, once more').fill(VALUE)
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByText('2D1630').waitFor()
  expect(await page.content()).not.toContain(VALUE)
})

test('a leader card is written by the collector that was chosen', { tags: 'extended' }, async () => {
  await keyed()
  const page = await show('/leaderCard')
  await chooseCollector(page, 'Card machine or collector')
  const card = fakeM1('0A0B0C0D')
  onWriter = card
  await page.getByRole('button', { name: 'Write the card' }).click()
  await page.getByText('Put the card on the machine and leave it there.').waitFor()
  await present('card', '1')
  await page.getByRole('cell', { name: '0A0B0C0D' }).waitFor()
  expect(card.blocks.get(5)!.toString('hex').toUpperCase()).toBe(VALUE)
  await expectAccessible(page)
})

test('many init cards are written in turn; one that fails says why and is written again', { tags: 'extended' }, async () => {
  await keyed()
  await world.call(cardCalls.createKey, { body: { type: 'init', name: 'Init' } })
  const page = await show('/batchInitCard')
  await chooseCollector(page, 'Card machine or collector')
  await page.getByLabel('Number of cards').fill('2')
  onWriter = fakeM1('01', 'A0A1A2A3A4A5FF078069A0A1A2A3A4A5')
  await page.getByRole('button', { name: 'Start writing' }).click()
  await page.getByText('Put card 1 on the machine and leave it there.').waitFor()
  await present('card', '1')
  await page.getByText('The card holds other keys').waitFor()
  onWriter = fakeM1('02')
  await present('card', '2')
  await page.getByText('2 of 2').first().waitFor()
  onWriter = fakeM1('03')
  await page.getByRole('button', { name: 'Write what failed again (1)' }).click()
  await present('card', '3')
  await page.getByRole('cell', { name: '03', exact: true }).waitFor()
  await expectAccessible(page)
})

test('a card is read by the collector, issued to a person, and taken back', async () => {
  await world.person({ name: 'Mei Lin', workNumber: 'C-100' })
  const page = await show('/issuedCards')
  await page.getByRole('button', { name: 'Issue a card' }).first().click()
  const form = page.getByRole('dialog', { name: 'Issue a card' })
  await formReady(page)
  await form.getByLabel('Person').fill('C-100')
  await page.getByTitle('Mei Lin').click()
  await chooseCollector(page, 'Collector')
  await form.getByRole('button', { name: 'Read the card' }).click()
  await form.getByText('Hold the card before the collector.').waitFor()
  await present('card', '0412345678')
  await until('the number to be read', async () => (await form.getByLabel('Card number').inputValue()) === '0412345678')
  await form.getByLabel('Expires on').fill('2099-01-15')
  await page.locator('.ant-picker-dropdown:visible td[title="2099-01-15"]').click()
  await form.getByLabel('Card password').fill('123456')
  await form.getByRole('button', { name: 'Issue a card' }).click()
  const row = page.getByRole('row', { name: /0412345678/ })
  await row.getByText('In force').waitFor()
  await expectAccessible(page)
  await row.getByRole('button', { name: /0412345678/ }).click()
  await page.getByRole('menuitem', { name: 'Take back' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Take back' }).click()
  await page.getByText('No card has been issued yet').waitFor()
})

test('a palm is shown to the collector, stands on the page of its person, and is taken away again', { tags: 'extended' }, async () => {
  const person = await world.person({ name: 'Palma Verde' })
  const page = await show(`/staffDetails/${person.id}`)
  await page.getByRole('button', { name: 'Enrol a palm' }).click()
  const form = page.getByRole('dialog', { name: 'Enrol a palm' })
  await chooseCollector(page, 'Card machine or collector')
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Begin' }).click()
  await form.getByText('Hold the palm before the collector.').waitFor()
  await present('palm', new Uint8Array(await drawnFace()))
  const palms = page.getByRole('list', { name: 'Palms' })
  await palms.getByText('Front desk').waitFor()
  await form.waitFor({ state: 'hidden' })
  await expectAccessible(page)
  await palms.getByRole('button', { name: 'Remove' }).click()
  await palms.waitFor({ state: 'detached' })
})
