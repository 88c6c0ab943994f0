/** Files of records opened by LibreOffice: what was written is what users read there. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { passages, sentBy } from '../../apps/server/src/contexts/records/testing/records.ts'
import { exported } from '../../apps/server/src/contexts/exports/testing/exports.ts'
import { cellsInLibreOffice, libreOfficeMissing } from '../support/libreoffice.ts'

if (libreOfficeMissing !== null) console.warn(`Skipped: ${libreOfficeMissing}`)

const NOW = Date.UTC(2026, 10, 21, 4)
/** Texts a spreadsheet might mistake for a formula, a number, two cells or two lines. */
const NAMES = ['王小明', '=1+2', '+86 139', 'Smith, "Jo"', '007', '張\n三']
/** In a file without types, only an apostrophe prevents a text from being read as a formula. */
const READ = { xlsx: NAMES, csv: NAMES.map((name) => (/^[=+]/.test(name) ? `'${name}` : name)) }

describe.skipIf(libreOfficeMissing !== null)('a file of records in LibreOffice', () => {
  let world: World
  beforeAll(async () => {
    world = await startWorld({ clock: { now: () => NOW } })
    const device = await world.device({ name: '东门 1' })
    const records = passages(NAMES.map((personName, place) => ({ personName, occurredAt: NOW - (place + 1) * 60_000 })))
    await world.server.contexts.records.ingest({ deviceId: device.id, parkId: world.park.id }, sentBy(records, { sentAt: NOW }))
  })
  afterAll(() => world?.stop())

  test.each(['xlsx', 'csv'] as const)('holds what was recorded, in Chinese as well: %s', async (format) => {
    const { bytes } = await exported(world.client, { format }, 'zh-CN')
    const [heading, ...rows] = cellsInLibreOffice(bytes, format)
    const column = (name: string): string[] => {
      const place = heading!.indexOf(name)
      expect(heading).toContain(name)
      return rows.map((row) => row[place]!)
    }
    expect(column('姓名')).toEqual(READ[format])
    expect(column('门点')).toEqual(NAMES.map(() => '东门 1'))
    expect(rows.every((row) => row.length === heading!.length)).toBe(true)
  })
})
