/** Every call of the modules that are built is sent as the specification writes it. */
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { ALL_SPECIFIED } from '../support/specified/all.ts'
import { entityFields } from '../support/specified/entities.ts'

const folder = fileURLToPath(new URL('../../../shared/spec/', import.meta.url))
const present = existsSync(folder)
if (!present) console.warn('Comparison with the specification skipped: ../shared/spec does not stand beside the repository.')
const read = <T>(name: string) => JSON.parse(readFileSync(`${folder}${name}.json`, 'utf8')) as T

/** Modules of the specification that are built. */
const BUILT = ['M01', 'M02', 'M03', 'M04', 'M05', 'M06', 'M07']

interface Call {
  id: string
  service: string
  method: string
  path: string
  module: string
}

test('each call is tried once', () => {
  const ids = ALL_SPECIFIED.map(({ id }) => id)
  expect(ids.length).toBeGreaterThan(0)
  expect(ids.filter((id, place) => ids.indexOf(id) !== place)).toEqual([])
})

describe.skipIf(!present)('with the specification beside it', () => {
  test('every call of what is built is tried, under its id, address and method', () => {
    const specified = read<Call[]>('calls')
      .filter(({ module }) => BUILT.some((built) => module.startsWith(built)))
      .map(({ id, service, method, path }) => `${id} ${service} ${method} ${path}`)
    expect(specified).toHaveLength(214)
    expect(ALL_SPECIFIED.map(({ id, service, method, path }) => `${id} ${service} ${method} ${path}`).toSorted()).toEqual(
      specified.toSorted(),
    )
  })

  test('entities bear the fields it gives them', () => {
    const entities = read<Record<string, { fields: { name: string }[] }>>('entities')
    for (const [entity, fields] of Object.entries(entityFields))
      expect(fields, entity).toEqual(entities[entity]!.fields.map(({ name }) => name))
  })
})
