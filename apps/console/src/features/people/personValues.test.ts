import { expect, test } from 'vitest'
import { PLAIN_FIELDS } from '@gatehouse/contract/people/plain-fields'
import audit from '../../i18n/en/audit.json' with { type: 'json' }

test('every plain field has a label', () => {
  expect(PLAIN_FIELDS.length).toBeGreaterThan(0)
  expect(PLAIN_FIELDS.filter((field) => !Object.hasOwn(audit.field, field))).toEqual([])
})
