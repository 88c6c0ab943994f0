/** The similarity of a park's own people, as an administrator sees and confirms it. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ownCurveCalls } from '@gatehouse/contract/faces/own-curve-calls'
import { facePolicyCalls } from '@gatehouse/contract/faces/policy'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import type { World } from '@gatehouse/dev-env/world'
import { ALIKE, peopleOf, seedPeople, UNLIKE } from '@gatehouse/server/contexts/faces/testing/people'
import { expectAccessible, pagesOf } from '../support/console.ts'
import { sharedBrowser, sharedWorld } from '../support/stage.ts'
import { until } from '../support/until.ts'

let world: World
let browser: Browser
beforeAll(async () => {
  world = await sharedWorld()
  browser = await sharedBrowser()
})
afterAll(async () => {
  await world?.stop()
})

const show = pagesOf(() => ({ browser, world }))
/** Wait until no measurement is running (an answer about a pair starts one too), and the events of added and deleted people are handled. */
const settled = async (): Promise<void> => {
  await until('nothing to be measured any more', async () => {
    const { work } = await world.call(ownCurveCalls.read, {})
    return work === null || !['waiting', 'running'].includes(work.state)
  })
  await world.server.platform.events.settled()
}
const doorScore = async (): Promise<number> =>
  (await world.call(facePolicyCalls.read, {})).purposes.find(({ purpose }) => purpose === 'door')!.score

test('people who are more alike are measured, who is registered twice is asked about, and doors are loosened by hand alone', async () => {
  const page = await show('/facePolicy')
  const own = page.getByRole('region', { name: 'How alike your people are' })
  await own.getByText('It is measured once 33 people have photos').waitFor()

  const group = await world.personGroup()
  const alike = peopleOf(60, group, ALIKE, 'Alike')
  await seedPeople(world, world, alike)
  const who = world.photographs.people.find(({ count }) => count >= 2)!
  await world.person({ name: 'Ada Lovelace', photo: await who.photo(1) })
  await world.person({ name: 'Ada Byron', photo: await who.photo(2) })
  await world.server.platform.events.settled()
  const before = await doorScore()
  await own.getByRole('button', { name: 'Measure now' }).click()
  await own.getByText(/Measured on .* pairs of your 62 people/).waitFor()
  await own.getByText(/taken for one another about .* times as often/).waitFor()
  await own.getByText('Doors with this engine ask for more because of it').waitFor()
  await until('doors to ask for more', async () => (await doorScore()) > before + 1)

  const doubtful = own.getByRole('region', { name: 'People who may be registered twice' })
  const pair = doubtful.getByRole('listitem').filter({ has: page.getByRole('link', { name: 'Ada Byron' }) })
  await pair.getByRole('link', { name: 'Ada Lovelace' }).waitFor()
  await expectAccessible(page)
  await pair.getByRole('button', { name: 'One person' }).click()
  await pair.getByRole('button', { name: 'One person', pressed: true }).waitFor()

  await seedPeople(world, world, peopleOf(140, group, UNLIKE, 'Unlike'))
  await world.call(peopleCalls.delete, { query: { ids: alike.slice(0, 55).map(({ id }) => id) }, body: undefined })
  await settled()
  const strict = await doorScore()
  await own.getByRole('button', { name: 'Measure now' }).click()
  await own.getByText('By the latest measuring doors could ask for less').waitFor()
  await settled()
  expect(await doorScore()).toBeGreaterThan(strict - 0.01)
  // The latest measurement is confirmed, not the one from just before the answer.
  await page.reload()
  await own.getByRole('button', { name: 'Ask for less' }).click()
  const dialog = page.getByRole('dialog', { name: 'Let doors ask for less?' })
  await dialog.getByRole('button', { name: 'Ask for less' }).click()
  await own.getByText('By the latest measuring doors could ask for less').waitFor({ state: 'detached' })
  await settled()
  expect(await doorScore()).toBeLessThan(strict - 1)
})
