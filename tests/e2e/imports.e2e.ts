/** Filling the register from files, as an administrator does it: upload, review, correct, run, and what is still missing. */
import { mkdirSync, writeFileSync, truncateSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { csvOf } from '@gatehouse/contract/files'
import { IMPORT_FIELDS, importCalls } from '@gatehouse/contract/imports/calls'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { specialCalls } from '@gatehouse/contract/people/special'
import { portrait } from '@gatehouse/dev-env/portraits'
import type { Made, World } from '@gatehouse/dev-env/world'
import { readXlsx } from '@gatehouse/server/platform/documents/testing/xlsx'
import { xlsxOf } from '@gatehouse/server/platform/documents/xlsx'
import { expectAccessible, expectAddress, pagesOf } from '../support/console.ts'
import { flatPng } from '../support/pictures.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { until } from '../support/until.ts'
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
const MB = 1_048_576
type Row = Partial<Record<(typeof IMPORT_FIELDS)[number], string>>

/** Return the columns of the template, with the server's English titles. */
async function headings(): Promise<string[]> {
  const response = await fetch(`${world.url}${importCalls.template.url}?format=xlsx`, {
    headers: { authorization: `Bearer ${(world.client.credentials as { bearer: string }).bearer}`, 'accept-language': 'en' },
  })
  const { rows } = await readXlsx(new Uint8Array(await response.arrayBuffer()))
  return rows[0]!.map(({ value }) => String(value))
}
const cellsOf = (row: Row): string[] => IMPORT_FIELDS.map((field) => row[field] ?? '')
async function csvFile(rows: Row[]): Promise<{ name: string; mimeType: string; buffer: Buffer }> {
  return {
    name: 'people.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(csvOf([(await headings()).slice(0, IMPORT_FIELDS.length), ...rows.map(cellsOf)])),
  }
}
/** Return a workbook of texts. */
async function xlsxFile(name: string, head: readonly string[], rows: readonly (readonly string[])[]) {
  const columns = head.map((heading, at) => ({
    heading,
    kind: 'text' as const,
    width: 16,
    value: (row: readonly string[]) => row[at] ?? null,
  }))
  const bytes = await buffer(
    xlsxOf(
      {
        name: 'people',
        columns,
        rows: (async function* () {
          yield* rows
        })(),
        clock: { zone: 'UTC', offsetOf: () => 0 },
      },
      world.clock.now(),
    ),
  )
  return { name, mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', buffer: bytes }
}

async function startedIn(group: Made, mode: 'createOnly' | 'createAndChange' = 'createOnly'): Promise<string> {
  const { id } = await world.call(importCalls.create, { body: { kind: 'staff', mode, groupId: group.id } })
  return id
}
const files = (page: Page): Locator => page.locator('input[type="file"][aria-label="Choose files"]')
const folder = (page: Page): Locator => page.locator('input[type="file"][aria-label="Choose a folder"]')
const tab = (page: Page, outcome: string): Locator =>
  page.getByRole('navigation', { name: 'Rows by what they do' }).locator(`[data-outcome="${outcome}"]`)
const counted = (page: Page, outcome: string, count: number): Promise<unknown> =>
  until(`${count} rows: ${outcome}`, async () => (await tab(page, outcome).locator('b').innerText()) === String(count))
const rowOf = (page: Page, text: string): Locator => page.locator('tr[data-row-key]').filter({ hasText: text })
/** Drop files and folders, as a user who drags them from a file manager. */
async function drop(page: Page, place: Locator, paths: readonly string[]): Promise<void> {
  const { x, y, width, height } = (await place.boundingBox())!
  const devtools = await page.context().newCDPSession(page)
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await devtools.send('Input.dispatchDragEvent', {
      type,
      x: x + width / 2,
      y: y + height / 2,
      data: { items: [], files: [...paths], dragOperationsMask: 1 },
    })
  }
}
const photo = async (at: number): Promise<Buffer> => world.photographs.people[at]!.photo(1)

test('an import is begun, refuses rows in words, and takes one that was corrected in the browser', async () => {
  const group = await world.personGroup({ name: 'Harbour' })
  const page = await show('/staffImport')
  await page.getByRole('button', { name: 'New import' }).first().click()
  const form = page.getByRole('dialog', { name: 'New import' })
  await form.locator('input:focus').waitFor({ state: 'attached' })
  await form.getByLabel('Group').click()
  await page.locator('.ant-select-tree-node-content-wrapper').filter({ hasText: group.name }).click()
  await form.getByRole('button', { name: 'Next: add files' }).click()
  await page.waitForURL((url) => /#\/staffImport\/.+/.test(url.hash))
  await page.getByText('Drop everything here').waitFor()
  await expectAccessible(page)

  await files(page).setInputFiles(
    await csvFile([
      { name: 'Ada Lovelace', workNumber: '1001' },
      { name: 'Hedy Lamarr', workNumber: '1003', birthday: 'the ninth of November' },
      { name: '', workNumber: '1004' },
    ]),
  )
  await counted(page, 'create', 1)
  await counted(page, 'refused', 2)
  await tab(page, 'refused').click()
  await rowOf(page, '1003').getByText('Birthday').waitFor()
  await rowOf(page, '1004').getByText('Fill this in.').waitFor()
  await expectAddress(page, 'outcome=refused')
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Correct Hedy Lamarr' }).click()
  const row = page.getByRole('dialog', { name: 'Line 3: Hedy Lamarr' })
  const birthday = row.getByLabel('Birthday')
  await birthday.and(row.locator('[aria-invalid="true"]')).waitFor()
  await expect.poll(() => birthday.inputValue()).toBe('the ninth of November')
  await expectAccessible(page)
  await birthday.fill('1914-11-99')
  const refusedAgain = page.waitForResponse((response) => response.request().method() === 'PUT')
  await row.getByRole('button', { name: 'Save', exact: true }).click()
  await refusedAgain
  await row.getByText('Enter a date such as 2026-03-31.').waitFor()
  await birthday.fill('1914-11-09')
  await page.keyboard.press('Enter')
  await row.waitFor({ state: 'hidden' })
  await counted(page, 'create', 2)
  await counted(page, 'refused', 1)
})

test('each register is filled into its own groups, and a group that rows name is added from one of them', async () => {
  const [staff, listed] = [
    await world.personGroup({ name: 'Pilots' }),
    await world.call(specialCalls.createGroup, { body: { name: 'Shoplifters' } }).then(({ id }) => ({ id, name: 'Shoplifters' })),
  ]
  const page = await show('/staffImport')
  await page.getByRole('button', { name: 'New import' }).first().click()
  const form = page.getByRole('dialog', { name: 'New import' })
  await form.locator('input:focus').waitFor({ state: 'attached' })
  const offered = page.locator('.ant-select-tree-node-content-wrapper:visible')
  for (const [kind, has, lacks] of [
    ['Watch list', listed.name, staff.name],
    ['Staff', staff.name, listed.name],
  ] as const) {
    await form.getByRole('radiogroup').getByText(kind, { exact: true }).click()
    await form.getByLabel('Group').click()
    await offered.filter({ hasText: has }).waitFor()
    expect(await offered.filter({ hasText: lacks }).count()).toBe(0)
    await page.keyboard.press('Escape')
  }

  const id = await startedIn(staff)
  await page.goto(`${world.url}/#/staffImport/${id}`)
  await files(page).setInputFiles(
    await csvFile([
      { name: 'Amelia Earhart', workNumber: '3001', groupName: 'Navigators' },
      { name: 'Bessie Coleman', workNumber: '3002', groupName: 'Navigators' },
    ]),
  )
  await counted(page, 'refused', 2)
  await tab(page, 'refused').click()
  await rowOf(page, '3001').getByText('There is no group Navigators.', { exact: false }).waitFor()
  await page.getByRole('button', { name: 'Correct Amelia Earhart' }).click()
  await page.getByRole('dialog', { name: 'Line 2: Amelia Earhart' }).getByRole('button', { name: 'Add the group Navigators' }).click()
  await counted(page, 'create', 2)
  await counted(page, 'refused', 0)
})

test(
  'photographs of a folder find their people, one is given by hand, and all are registered and found in the staff list',
  { tags: 'extended' },
  async () => {
    const group = await world.personGroup({ name: 'Dockyard' })
    const page = await show(`/staffImport/${await startedIn(group)}`)
    const names = ['Annie Easley', 'Grace Hopper', 'Hedy Kiesler']
    await files(page).setInputFiles(await csvFile(names.map((name, at) => ({ name, workNumber: String(1101 + at) }))))
    await counted(page, 'create', 3)
    const pictures = scratchFolder()
    mkdirSync(join(pictures, 'second shelf'))
    writeFileSync(join(pictures, '1101.jpg'), await photo(0))
    writeFileSync(join(pictures, 'second shelf', '1102.jpg'), await photo(1))
    writeFileSync(join(pictures, 'Thumbs.db'), 'left behind by the system')
    writeFileSync(join(pictures, 'second shelf', 'hedy.jpg'), await photo(2))
    await folder(page).setInputFiles(pictures)
    await page.getByText('4 of 4 taken').waitFor()
    await counted(page, 'stray', 1)

    await tab(page, 'stray').click()
    await page.getByText('hedy.jpg').waitFor()
    await expectAccessible(page)
    await page.getByRole('combobox', { name: 'hedy.jpg belongs to' }).fill('1103')
    await page.locator('.ant-select-dropdown').filter({ visible: true }).getByText('1103 · Hedy Kiesler').waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('Every photo is matched to a person.').waitFor()

    await page.getByRole('button', { name: 'Start: 3 rows' }).click()
    await page.getByText('3 people registered').waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Show these people' }).click()
    for (const name of names) await rowOf(page, name).locator('img').waitFor()
    const { content } = await world.call(peopleCalls.list, { query: { groupId: group.id } })
    expect(content.map(({ name, workNumber, faces }) => [name, workNumber, faces.length]).toSorted()).toEqual(
      names.map((name, at) => [name, String(1101 + at), 1]),
    )
  },
)

test('a photograph without a face is said so at its person, and another one takes its place', { tags: 'extended' }, async () => {
  const group = await world.personGroup({ name: 'Foundry' })
  const page = await show(`/staffImport/${await startedIn(group)}`)
  await files(page).setInputFiles([
    await csvFile([{ name: 'Gladys West', workNumber: '6001' }]),
    { name: '6001.png', mimeType: 'image/png', buffer: flatPng(400, 400) },
  ])
  await page.getByText('2 of 2 taken').waitFor()
  await counted(page, 'create', 1)
  await page.getByRole('button', { name: 'Start: 1 row' }).click()
  await page.getByText('1 person registered').waitFor()
  await counted(page, 'photosRefused', 1)
  await tab(page, 'photosRefused').click()
  // The rows of the previous tab stay until these have loaded.
  await rowOf(page, '6001').getByText('no face', { exact: false }).waitFor()
  await page.getByRole('button', { name: 'Correct Gladys West' }).click()
  const row = page.getByRole('dialog', { name: 'Line 2: Gladys West' })
  await row.getByText('no face', { exact: false }).waitFor()
  await expectAccessible(page)
  await row
    .locator('input[type="file"]')
    .setInputFiles({ name: 'portrait.jpg', mimeType: 'image/jpeg', buffer: await portrait('Gladys West') })
  await page.getByText('Photo uploaded').waitFor()
  await row.waitFor({ state: 'hidden' })
  await tab(page, 'photosRefused').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Start: 1 row' }).click()
  await until(
    'the person to have a photograph',
    async () => (await world.call(peopleCalls.list, { query: { groupId: group.id } })).content[0]?.faces.length === 1,
  )
})

test('refused rows are downloaded with their reasons, corrected in the spreadsheet and handed in again', { tags: 'extended' }, async () => {
  const group = await world.personGroup({ name: 'Shipyard' })
  const id = await startedIn(group)
  const page = await show(`/staffImport/${id}`)
  await files(page).setInputFiles(
    await xlsxFile('people.xlsx', (await headings()).slice(0, IMPORT_FIELDS.length), [
      cellsOf({ name: 'Mary Jackson', workNumber: '2001' }),
      cellsOf({ name: 'Katherine/Johnson', workNumber: '2002' }),
    ]),
  )
  await counted(page, 'create', 1)
  await counted(page, 'refused', 1)
  await page.getByRole('button', { name: 'Start: 1 row' }).click()
  await page.getByText('1 person registered').waitFor()

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download refused rows (1)' }).click(),
  ])
  const { rows } = await readXlsx(await readFile(await download.path()))
  const [head, refused] = rows.map((cells) => cells.map(({ value }) => String(value ?? ''))) as [string[], string[]]
  expect(refused).toContain('Katherine/Johnson')
  expect(refused.join(' ')).toContain('These characters are not allowed')

  await files(page).setInputFiles(
    await xlsxFile('corrected.xlsx', head, [refused.map((value) => value.replace('Katherine/Johnson', 'Katherine Johnson'))]),
  )
  await counted(page, 'refused', 0)
  await page.getByRole('button', { name: 'Start: 1 row' }).click()
  await until('both to be registered', async () => (await world.call(peopleCalls.list, { query: { groupId: group.id } })).total === 2)
})

test(
  'what is too large or too much is said on the file before it is sent, and stops no other [VAL-216, VAL-217, VAL-224]',
  { tags: 'extended' },
  async () => {
    const id = await startedIn(await world.personGroup({ name: 'Quarry' }))
    const page = await show(`/staffImport/${id}`)
    const sent: string[] = []
    page.on('request', (request) => request.method() === 'POST' && sent.push(new URL(request.url()).pathname.split('/').at(-1)!))
    const place = scratchFolder()
    const large = (name: string, bytes: number): string => {
      writeFileSync(join(place, name), '')
      truncateSync(join(place, name), bytes)
      return join(place, name)
    }
    const many = join(place, 'many.zip')
    writeFileSync(many, zipOf(1001))
    writeFileSync(join(place, 'people.csv'), (await csvFile([{ name: 'Annie Easley', workNumber: '3001' }])).buffer)
    await files(page).setInputFiles([
      large('all.csv', 51 * MB),
      large('all.zip', 301 * MB),
      large('portrait.png', 11 * MB),
      many,
      large('old.xls', 9),
      join(place, 'people.csv'),
    ])
    const list = page.getByRole('region', { name: 'File upload' })
    const said = (name: string): Promise<string> => list.getByRole('listitem').filter({ hasText: name }).innerText()
    await list.getByText('1 of 6 taken').waitFor()
    await expect.poll(() => said('all.csv')).toContain('a spreadsheet may have at most 50 MB')
    await expect.poll(() => said('all.zip')).toContain('a zip may have at most 300 MB')
    await expect.poll(() => said('portrait.png')).toContain('a photo may have at most 10 MB')
    await expect.poll(() => said('many.zip')).toContain('1001 photos: a zip may hold at most 1000')
    await expect.poll(() => said('old.xls')).toContain('Save it as .xlsx')
    await expectAccessible(page)
    await counted(page, 'create', 1)
    expect(sent.filter((last) => last === 'rows' || last === 'photos')).toEqual(['rows'])
  },
)

test(
  'a file the server refuses or that does not arrive is named and tried again; leaving while files are on their way asks first',
  { tags: 'extended' },
  async () => {
    const group = await world.personGroup({ name: 'Ferry' })
    await world.person({ name: 'Christine Darden', workNumber: '4001', groupId: group.id })
    const id = await startedIn(group)
    const page = await show(`/staffImport/${id}`)
    await page.route('**/photos', (route) => route.abort())
    await files(page).setInputFiles([
      { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from('without the mark') },
      { name: '4001.jpg', mimeType: 'image/jpeg', buffer: await photo(3) },
    ])
    const list = page.getByRole('region', { name: 'File upload' })
    await list.getByRole('listitem').filter({ hasText: 'people.csv' }).getByText('CSV UTF-8').waitFor()
    await list.getByRole('listitem').filter({ hasText: '4001.jpg' }).getByText('The server cannot be reached').waitFor()

    await page.unroute('**/photos')
    let release = (): void => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/photos', async (route) => {
      await released
      await route.continue()
    })
    await list.getByRole('button', { name: 'Try again: 4001.jpg' }).click()
    await list.getByText('Sending files').waitFor()
    await page.getByRole('navigation', { name: 'You are here' }).getByRole('link', { name: 'Imports' }).click()
    const question = page.getByRole('dialog', { name: 'Files are still uploading' })
    await question.getByRole('button', { name: 'Stay' }).click()
    await question.waitFor({ state: 'hidden' })
    await expectAddress(page, id)
    release()
    await list.getByText('1 of 2 taken').waitFor()
    await counted(page, 'photo', 1)
    await page.getByRole('navigation', { name: 'You are here' }).getByRole('link', { name: 'Imports' }).click()
    await page.getByRole('heading', { name: 'Imports' }).waitFor()
    await rowOf(page, group.name).getByText('Photo only').waitFor()
    await expectAccessible(page)
  },
)

test('a folder with folders inside, more than the browser reads at once, is dropped and arrives whole', { tags: 'extended' }, async () => {
  const group = await world.personGroup({ name: 'Warehouse' })
  await world.person({ name: 'Dorothy Vaughan', workNumber: '5001', groupId: group.id })
  const page = await show(`/staffImport/${await startedIn(group)}`)
  const shelf = join(scratchFolder(), 'shelf')
  mkdirSync(join(shelf, 'inner', 'innermost'), { recursive: true })
  writeFileSync(join(shelf, 'inner', 'innermost', '5001.jpg'), await photo(5))
  for (let nth = 0; nth < 120; nth++) writeFileSync(join(shelf, 'inner', `note ${nth}.txt`), 'no picture')
  await drop(page, page.getByRole('region', { name: 'Upload files' }), [shelf])
  const list = page.getByRole('region', { name: 'File upload' })
  await list.getByText('1 of 121 taken').waitFor()
  await list.getByText('120 not taken').waitFor()
  await counted(page, 'photo', 1)
  const { photos, photosMatched } = (await world.call(importCalls.list, { query: {} })).content[0]!
  expect([photos, photosMatched]).toEqual([1, 1])
})

test('the board shows who lacks a photograph, leads to these people and to an upload for their group', { tags: 'extended' }, async () => {
  const group = await world.personGroup({ name: 'Lighthouse' })
  await world.person({ name: 'With Photo', groupId: group.id, photo: await photo(4) })
  await world.person({ name: 'Without Photo', groupId: group.id })
  const page = await show('/photoBoard')
  const line = page.getByRole('row').filter({ hasText: 'Lighthouse' })
  await line.getByText('1 of 2').waitFor()
  await expectAccessible(page)
  await line.getByRole('link', { name: 'Show 1 person without a photo in Lighthouse' }).click()
  await rowOf(page, 'Without Photo').waitFor()
  expect(await rowOf(page, 'With Photo').count()).toBe(0)
  await page.goBack()
  await line.getByRole('button', { name: 'Upload photos: Lighthouse' }).click()
  await page.getByRole('heading', { name: 'Lighthouse' }).waitFor()
  await page.getByText('Drop everything here').waitFor()
})

test.each(['zh-CN', 'zh-TW'] as const)('the pages speak %s and are as readable in the dark', { tags: 'extended' }, async (language) => {
  const page = await show('/photoBoard', { language, theme: 'dark' })
  await page.getByRole('heading', { name: '缺少照片' }).waitFor()
  await expectAccessible(page)
  const id = await startedIn(await world.personGroup())
  await page.goto(`${world.url}/#/staffImport/${id}`)
  await page.getByText('把表格和照片一起拖放到').waitFor()
  await expectAccessible(page)
})

/** Return the central directory of a zip of pictures without their contents: enough to be counted. */
function zipOf(pictures: number): Buffer {
  const entries = Array.from({ length: pictures }, (_, at) => {
    const name = Buffer.from(`${at}.jpg`)
    const head = Buffer.alloc(46)
    head.writeUInt32LE(0x02014b50, 0)
    head.writeUInt16LE(name.length, 28)
    return Buffer.concat([head, name])
  })
  const list = Buffer.concat(entries)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt32LE(list.length, 12)
  return Buffer.concat([list, end])
}
