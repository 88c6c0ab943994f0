import { privacyCalls } from '@gatehouse/contract/privacy/calls'
import type { CallCase, ScreenParameters } from './case.ts'

const REASON = 'asked for'

export const cases: readonly CallCase[] = [
  {
    call: privacyCalls.changePolicy,
    apart: true,
    given: () => ({
      consentRequired: false,
      consentText: {},
      recordsOnErasure: 'pseudonymise',
      retention: { staff: null, customer: null, special: null },
    }),
  },
  { call: privacyCalls.consents, given: async ({ site }) => ({ id: (await site.person()).id }) },
  { call: privacyCalls.noteConsent, given: async ({ site }) => ({ id: (await site.person()).id, state: 'given' }) },
  { call: privacyCalls.preview, given: async ({ site }) => ({ personIds: [(await site.person()).id] }) },
  { call: privacyCalls.erase, given: async ({ site }) => ({ personIds: [(await site.person()).id], reason: REASON }) },
  {
    call: privacyCalls.read,
    async given({ site }) {
      const { erasureIds } = await site.call(privacyCalls.erase, { body: { personIds: [(await site.person()).id], reason: REASON } })
      return { id: erasureIds[0]! }
    },
  },
  {
    call: privacyCalls.file,
    async given({ site }) {
      const { erasureIds } = await site.call(privacyCalls.erase, { body: { personIds: [(await site.person()).id], reason: REASON } })
      return { id: erasureIds[0]! }
    },
    // A file has no envelope: its code is its status.
    lastWord: [200, 200],
  },
]

/** What the parameters of screens name. */
export const screens = {
  erasureDetails: {
    id: async ({ site }) =>
      (await site.call(privacyCalls.erase, { body: { personIds: [(await site.person()).id], reason: 'Requested' } })).erasureIds[0]!,
  },
} satisfies ScreenParameters
