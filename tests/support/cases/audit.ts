import { auditCalls } from '@gatehouse/contract/audit/calls'
import { screenLinkCalls } from '@gatehouse/contract/identity/screen-links'
import { dictionaryCalls } from '@gatehouse/contract/system/dictionary'
import { mapCalls } from '@gatehouse/contract/system/map'
import { screenCalls } from '@gatehouse/contract/system/screens'
import type { Site } from '@gatehouse/dev-env/world'
import type { CallCase } from './case.ts'

async function screenLink(site: Site): Promise<string> {
  return (await site.call(screenLinkCalls.create, { body: { name: 'Lobby' } })).id
}

export const cases: readonly CallCase[] = [
  // The id of an entry is created by the change it records: it cannot be known in advance.
  { call: auditCalls.operation, given: () => ({ id: '01900000-0000-7000-8000-000000000000' }), lastWord: [404, 404] },
  {
    call: dictionaryCalls.change,
    given: () => ({ labels: [{ enum: 'gender', value: '1', language: 'en', label: 'Man' }] }),
    foreign: false,
  },
  // The file that is sent is a picture.
  { call: dictionaryCalls.import, lastWord: [200, 900107], foreign: false },
  { call: screenLinkCalls.create, given: () => ({ name: 'Lobby', endsAt: null }) },
  { call: screenLinkCalls.revoke, given: async ({ site }) => ({ id: await screenLink(site) }) },
  { call: screenCalls.change, given: () => ({ background: '', blocks: ['curve'] }) },
  { call: mapCalls.change, given: () => ({ picture: '', latitude: null, longitude: null, marker: null }) },
]
