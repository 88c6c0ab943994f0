/** Rules for linked parks, as an administrator creates them, and their effect at a terminal. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { associatedRuleCalls } from '@gatehouse/contract/strategies/associated-rules'
import { writtenRuleCalls } from '@gatehouse/contract/approvals/written-rules'
import { accessMethod } from '@gatehouse/contract/enums/access'
import { areaCalls } from '@gatehouse/contract/organisation/areas'
import { relationCalls } from '@gatehouse/contract/relations/calls'
import type { Site, World } from '@gatehouse/dev-env/world'
import { expectAccessible, pagesOf } from '../support/console.ts'
import { query } from '../support/embedded-postgres.ts'
import { sharedBrowser, sharedWorld } from '../support/stage.ts'

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

/** Create another park that applies to share some of its people with the first one. */
async function asking(name: string, people: (of: Site) => Promise<{ id: string }[]>): Promise<{ park: Site; relation: string }> {
  const park = await world.addPark({ name })
  const { verificationCode: authorisationCode } = await world.call(areaCalls.verificationCode, { query: {} })
  const { id } = await park.call(relationCalls.apply, {
    body: { authorisationCode, personIds: (await people(park)).map((person) => person.id) },
  })
  return { park, relation: id }
}
const agree = (relation: string) => world.call(relationCalls.change, { body: { id: relation, status: 'agreed' } })
/** The options of an open list; lists that were closed have none. */
const offered = (page: Awaited<ReturnType<typeof show>>, name: string) => page.locator('.ant-select-item-option').and(page.getByTitle(name))
const rowNamed = (page: Awaited<ReturnType<typeof show>>, name: string) => page.getByRole('row', { name: new RegExp(name) })

test(
  'a park agrees, makes a rule, somebody of the other park passes and stands in the records; the link is ended and he is refused',
  { tags: 'extended' },
  async () => {
    const [somebody] = world.photographs.kind === 'real' ? [world.photographs.person('colin_powell')] : world.photographs.people
    const { relation } = await asking('Riverside', async (park) => [
      await park.person({ name: 'Ada Guest', workNumber: 'R-7', photo: await somebody!.photo(1) }),
    ])
    const terminal = await world.terminal(await world.device({ name: 'East gate' }))
    onTestFinished(() => terminal.stop())
    await world.timeRule({ name: 'Open hours' })
    await world.settled()
    const look = async () => terminal.show(await somebody!.photo(2))
    expect(await look()).toMatchObject({ verdict: 'rejected' })

    const page = await show('/associatedPark?direction=received')
    await rowNamed(page, 'Riverside')
      .getByRole('button', { name: /Riverside/ })
      .click()
    await page.getByRole('menuitem', { name: 'Agree' }).click()
    await page.getByRole('dialog', { name: 'Link with Riverside?' }).getByRole('button', { name: 'Agree' }).click()
    await rowNamed(page, 'Riverside').getByText('Agreed').waitFor()

    await page.goto(`${world.url}/#/associatedRule`)
    await page.getByText('There is no rule yet.', { exact: false }).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Add a rule' }).first().click()
    await page.getByRole('heading', { name: 'Rule for people of a linked park' }).waitFor()
    await page.getByRole('textbox', { name: 'Name' }).fill('Canteen guests')
    await page.getByRole('combobox', { name: 'Linked park' }).click()
    await offered(page, 'Riverside').click()
    await page.getByText('Riverside shares 1 person now.').waitFor()
    await page.getByText('All people the park shares').click()
    await page.getByLabel('Single doors').fill('East')
    await offered(page, 'East gate').click()
    await page.keyboard.press('Escape')
    await page.getByLabel('Time rules').fill('Open')
    await offered(page, 'Open hours').click()
    await page.keyboard.press('Escape')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL(/associatedRuleDetail/)
    await page.getByText('1 person of Riverside may pass 1 door.').waitFor()
    await expectAccessible(page)

    await world.settled()
    expect(await look()).toMatchObject({ verdict: 'allowed' })
    await page.getByRole('button', { name: 'Sync status' }).click()
    await page.waitForURL(/associatedRuleSyncStatus/)
    await rowNamed(page, 'East gate').getByText('Synchronised').first().waitFor()
    await page.getByText('By person').click()
    await rowNamed(page, 'Ada Guest').getByText('Synchronised').first().waitFor()
    await expectAccessible(page)
    await page.goto(`${world.url}/#/staffCurrent`)
    await rowNamed(page, 'Ada Guest').getByText('Riverside · R-7').waitFor()

    await page.goto(`${world.url}/#/associatedPark`)
    await rowNamed(page, 'Riverside')
      .getByRole('button', { name: /Riverside/ })
      .click()
    await page.getByRole('menuitem', { name: 'End the link' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'End the link' }).click()
    await rowNamed(page, 'Riverside').getByText('Dissolved').waitFor()
    await world.settled()
    expect(await look()).toMatchObject({ verdict: 'rejected', personId: null })
    await page.goto(`${world.url}/#/associatedRule`)
    await rowNamed(page, 'Canteen guests').getByText('Link ended').waitFor()
    expect((await world.call(relationCalls.list, { query: {} })).content).toMatchObject([{ id: relation, status: 'dismissed' }])
  },
)

test('a rule is narrowed to one person, and deleted after the question has named who loses what', { tags: 'extended' }, async () => {
  const { park, relation } = await asking('Hillside', async (of) => [
    await of.person({ name: 'Bea Hill', workNumber: 'H-1' }),
    await of.person({ name: 'Cid Hill', workNumber: 'H-2' }),
  ])
  await agree(relation)
  const door = await world.device({ name: 'West gate' })
  const { id: timeRuleId } = await world.timeRule({ name: 'Daytime' })
  const { id } = await world.call(associatedRuleCalls.create, {
    body: {
      name: 'Hill people',
      parkId: park.park.id,
      everybody: true,
      deviceIds: [door.id],
      timeRuleIds: [timeRuleId],
      methods: [accessMethod.face, accessMethod.card],
    },
  })
  const page = await show('/associatedRule')
  await rowNamed(page, 'Hill people').getByText('2 people').waitFor()
  await rowNamed(page, 'Hill people')
    .getByRole('button', { name: /Hill people/ })
    .click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await page.getByRole('heading', { name: 'Edit Hill people' }).waitFor()
  await page.getByText('Only some of them').click()
  await page.getByLabel('Single people').fill('Bea')
  await offered(page, 'Bea Hill · H-1').click()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.waitForURL(/associatedRuleDetail/)
  await page.getByText('1 person of Hillside may pass 1 door.').waitFor()
  await page.getByRole('link', { name: 'Bea Hill' }).waitFor()
  expect(await world.call(associatedRuleCalls.read, { query: { id } })).toMatchObject({
    everybody: false,
    personCount: 1,
    persons: [{ name: 'Bea Hill' }],
  })

  await page.getByRole('button', { name: 'Delete' }).click()
  const question = page.getByRole('dialog', { name: 'Delete “Hill people”?' })
  await question.getByText('1 person of Hillside can no longer pass 1 door by this rule.', { exact: false }).waitFor()
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect.poll(async () => (await world.ask(associatedRuleCalls.read, { query: { id } })).code).toBe(300101)
})

test('a rule that goes against a written one is not saved: who, where and the way to their names stand in the form', async () => {
  const { relation } = await asking('Riverside', async (of) => [await of.person({ name: 'Rita River', workNumber: 'R-1' })])
  await agree(relation)
  const vault = await world.device({ name: 'Vault' })
  const { name: ruleName } = await world.timeRule({ name: 'Working hours' })
  await world.call(writtenRuleCalls.create, {
    body: { name: 'Nobody at the vault', kinds: ['staff'], deviceIds: [vault.id], sentence: 'Ask the treasurer.' },
  })
  const page = await show('/addAssociatedRuleDetail')
  await page.getByRole('textbox', { name: 'Name' }).fill('River people')
  await page.getByRole('combobox', { name: 'Linked park' }).click()
  await offered(page, 'Riverside').click()
  // `All people` is not preset, and a rule for no one is refused.
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Choose people or groups, or all people.').waitFor()
  await page.getByText('All people the park shares').click()
  await page.getByLabel('Single doors').fill('Vault')
  await offered(page, 'Vault').click()
  await page.keyboard.press('Escape')
  await page.getByLabel('Time rules').fill('Working')
  await offered(page, ruleName).click()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Save' }).click()
  const refused = page.getByRole('alert', { name: /Not saved/ })
  await refused.getByText('Ask the treasurer.').waitFor()
  await refused.getByRole('button', { name: 'Show people' }).click()
  await page
    .getByRole('dialog', { name: /Nobody at the vault/ })
    .getByText('R-1 · Riverside')
    .waitFor()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('River people')
  expect((await world.call(associatedRuleCalls.list, { body: { name: 'River people' } })).total).toBe(0)
})

test(
  'rules from before everybody had to be asked for are listed: one is confirmed, people are chosen for another',
  { tags: 'extended' },
  async () => {
    const { park, relation } = await asking('Seaside', async (of) => [
      await of.person({ name: 'Dora Sea', workNumber: 'S-1' }),
      await of.person({ name: 'Eric Sea', workNumber: 'S-2' }),
    ])
    await agree(relation)
    const [door, rule] = [await world.device({ name: 'Pier gate' }), await world.timeRule({ name: 'Sea hours' })]
    // So that the home page is past the first steps of an empty park.
    await world.person({ permittedAt: door })
    const make = async (name: string) => {
      const about = { parkId: park.park.id, everybody: true, deviceIds: [door.id], timeRuleIds: [rule.id] }
      return (await world.call(associatedRuleCalls.create, { body: { name, ...about, methods: [accessMethod.card] } })).id
    }
    const [crew, divers] = [await make('Sea crew'), await make('Sea divers')]
    await query(world.connectionString, 'UPDATE associated_rule SET everybody_confirmed = DEFAULT WHERE strategy_id = ANY ($1)', [
      [crew, divers],
    ])

    const page = await show('/home')
    await page.getByRole('link', { name: /Rules to be confirmed/ }).click()
    await page.waitForURL(/associatedRule/)
    const asked = page.getByRole('list', { name: '2 rules admit all shared people of a linked park. Is this intended?' })
    await asked.getByText('admits all people Seaside shares, now 2 people.').first().waitFor()
    await rowNamed(page, 'Sea crew').getByText('To be confirmed').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Yes, all people: Sea crew' }).click()
    await rowNamed(page, 'Sea crew').getByText('To be confirmed').waitFor({ state: 'detached' })
    await page.getByRole('list', { name: '1 rule admits all shared people of a linked park. Is this intended?' }).waitFor()
    expect(await world.call(associatedRuleCalls.read, { query: { id: crew } })).toMatchObject({
      everybody: true,
      everybodyConfirmed: true,
      personCount: 2,
    })

    await page.getByRole('button', { name: 'Choose people: Sea divers' }).click()
    await page.getByText('This rule currently admits all people Seaside shares.', { exact: false }).waitFor()
    await expectAccessible(page)
    // Nothing is preset: the user has to choose a list, or all people.
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Choose people or groups, or all people.').waitFor()
    expect(await world.call(associatedRuleCalls.read, { query: { id: divers } })).toMatchObject({
      everybodyConfirmed: false,
      personCount: 2,
    })
    await page.getByLabel('Single people').fill('Dora')
    await offered(page, 'Dora Sea · S-1').click()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL(/associatedRuleDetail/)
    await page.getByText('1 person of Seaside may pass 1 door.').waitFor()
    await page.goto(`${world.url}/#/associatedRule`)
    await rowNamed(page, 'Sea divers').getByText('Chosen ones').waitFor()
    await page.getByText('Is this intended?').waitFor({ state: 'detached' })
    expect((await world.call(associatedRuleCalls.list, { body: { everybodyConfirmed: false } })).total).toBe(0)
  },
)

test('a rule for visitors of linked parks is not offered; one made by its address is kept, and says that it opens no door', async () => {
  const { relation } = await asking('Lakeside', async (of) => [await of.person()])
  await agree(relation)
  const { name: ruleName } = await world.timeRule({ name: 'Visiting hours' })
  const page = await show('/associatedRule')
  await page.getByRole('button', { name: 'Add a rule' }).first().click()
  await page.getByRole('heading', { name: 'Rule for people of a linked park' }).waitFor()
  await page.goto(`${world.url}/#/addAssociatedRuleVisitorDetail`)
  await page.getByText('it opens no door', { exact: false }).waitFor()
  await page.getByRole('textbox', { name: 'Name' }).fill('Lake visitors')
  await page.getByRole('combobox', { name: 'Linked park' }).click()
  await offered(page, 'Lakeside').click()
  await page.getByLabel('Time rules').fill('Visiting')
  await offered(page, ruleName).click()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.waitForURL(/associatedRuleVisitorDetail\//)
  await page.getByRole('heading', { name: 'Lake visitors' }).waitFor()
  await page.getByText('it opens no door', { exact: false }).waitFor()
  await expectAccessible(page)
  expect((await world.call(associatedRuleCalls.list, { body: { kind: 'visitor' } })).content).toMatchObject([
    { name: 'Lake visitors', personCount: 0 },
  ])
})
