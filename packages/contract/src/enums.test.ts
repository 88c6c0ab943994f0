import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { calls as contract } from './calls.ts'
import { deviceModel, deviceType, labelKeyOf, modelsOfType, passwordValidity, personStatus } from './enums.ts'
import type { EnumValue } from './enums.ts'
import { enums } from './enums/registry.ts'
import * as limits from './limits.ts'
import { PERMISSION_CODES } from './permissions.ts'
import { fieldIssuesOf } from './validation.ts'

describe('enums', () => {
  it('are registered under their own names', () => {
    for (const [key, { name }] of Object.entries(enums)) expect(name).toBe(key)
  })

  it('give no value two names', () => {
    for (const { name, values } of Object.values(enums)) expect(new Set<EnumValue>(values).size, name).toBe(values.length)
  })

  it('accept their own values and refuse all others with a rule that has a text', () => {
    for (const { name, values, schema } of Object.values(enums)) {
      for (const value of values) expect(schema.safeParse(value).success, `${name} ${value}`).toBe(true)
      const refused = z.object({ field: schema }).safeParse({ field: 'no such value' })
      expect(fieldIssuesOf(refused.error!), name).toMatchObject([{ path: 'field', rule: 'oneOf' }])
    }
    expect(personStatus.schema.safeParse('1').success).toBe(false)
  })

  it('are what requests ask for by these names, and no range of numbers, which would take a value that does not exist', () => {
    const NAMES =
      /^(type|deviceTypes?|model|direction|result|status|gender|operateType|onlineStatus|cardType|accessType|relation|updateType)$/
    type Json = { properties?: Record<string, Json>; type?: string; maximum?: number; [part: string]: unknown }
    const rangesIn = (schema: Json, name = ''): string[] =>
      Object.entries(schema)
        .flatMap(([part, value]) => {
          if (typeof value !== 'object' || value === null) return []
          if (part === 'properties')
            return Object.entries(value as Record<string, Json>).flatMap(([field, inner]) => rangesIn(inner, field))
          return Array.isArray(value) ? value.flatMap((inner: Json) => rangesIn(inner, name)) : rangesIn(value as Json, name)
        })
        .concat(NAMES.test(name) && (schema.maximum ?? Infinity) < 100 ? [name] : [])
    const found = contract
      // Terminals' values are accepted as they are.
      .filter(({ service }) => service !== 'device')
      .flatMap(({ method, url, query, body }) =>
        [query, body].flatMap((schema) =>
          schema === undefined
            ? []
            : rangesIn(z.toJSONSchema(schema as z.ZodType, { io: 'input', unrepresentable: 'any' }) as Json).map(
                (field) => `${method} ${url} ${field}`,
              ),
        ),
      )
    expect(found).toEqual([])
  })

  it('colour every value or none', () => {
    for (const { name, values, colours } of Object.values(enums)) {
      const coloured = Object.keys(colours)
      if (coloured.length > 0) expect(coloured.sort(), name).toEqual(values.map(String).sort())
    }
    expect(personStatus.colours[personStatus.enabled]).toBe('success')
  })

  it('name the key of a label', () => {
    expect(labelKeyOf(personStatus, personStatus.expired)).toBe('enum.personStatus.2')
  })

  it('agree with the limits that list the same values', () => {
    expect(enums.pageSizeOption.values).toEqual(limits.PAGE_SIZE_OPTIONS)
    expect(enums.topN.values).toEqual(limits.TOP_N)
    expect(enums.expiryFilterDays.values).toEqual(limits.EXPIRY_FILTERS)
    expect(enums.nucleicAcidWindow.values).toEqual(limits.NUCLEIC_ACID_WINDOWS)
    expect(enums.vaccineMinimum.values).toEqual(limits.VACCINE_MINIMUMS)
    expect(enums.alarmPopupStay.values).toEqual(limits.ALARM_POPUP_OPTIONS)
    expect(passwordValidity.values).toEqual(limits.PASSWORD_VALIDITY_OPTIONS)
    expect(enums.contactRelation.values).toHaveLength(limits.CONTACT_RELATIONS)
    expect(enums.shiftPairs.values).toHaveLength(limits.SHIFT_PAIRS_MAX)
    expect(enums.parkType.campus).toBe(limits.PARK_TYPE_ACADEMY)
  })

  it('give each device model to a type', () => {
    expect([...new Set(Object.values(modelsOfType).flat())].sort()).toEqual([...deviceModel.values].sort())
    expect(modelsOfType[deviceType.cardMachine]).toBeUndefined()
  })

  it('hold each permission code in exactly one module', () => {
    expect(new Set(PERMISSION_CODES).size).toBe(PERMISSION_CODES.length)
    expect(enums.permissionCode.values).toEqual(PERMISSION_CODES)
  })
})
