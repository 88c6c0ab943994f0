import { visitorSource, visitReason } from '@gatehouse/contract/enums/visitors'
import { visitorCalls } from '@gatehouse/contract/visitors/calls'
import { visitorConfigurationCalls } from '@gatehouse/contract/visitors/configuration'
import { visitorDocumentCalls } from '@gatehouse/contract/visitors/documents'
import type { CallCase, Ground } from './case.ts'

const HOUR = 3_600_000
let samples = 0

/** Return a document that is shown to nobody, so that reservations of other cases need not accept it; added where there is none. */
export async function hiddenDocument({ site }: Ground): Promise<string> {
  const { documents } = await site.call(visitorDocumentCalls.list, {})
  if (documents.length > 0) return documents[0]!.id
  const rules = { agreement: 'tick' as const, enabled: false, texts: { en: { title: 'Rules', text: 'Wear your badge.' } } }
  return (await site.call(visitorDocumentCalls.change, { body: { documents: [rules] } })).documents[0]!.id
}

/** Make a visit that waits, in a park whose visitors pass no door. */
async function pendingVisit({ site, world }: Ground): Promise<string> {
  await site.call(visitorConfigurationCalls.change, { body: { needAuthorisation: false } })
  const now = world.clock.now()
  const phone = `1385${String(++samples).padStart(7, '0')}`
  const form = { name: 'Signer', phone, reason: visitReason.business, visitTime: now, visitEndTime: now + HOUR }
  return (await site.call(visitorCalls.create, { body: { ...form, source: visitorSource.reservation } })).id
}

export const cases: readonly CallCase[] = [
  {
    call: visitorDocumentCalls.change,
    apart: true,
    given: async (ground) => {
      const id = await hiddenDocument(ground)
      return { id, documents: [{ id, agreement: 'tick', enabled: false, texts: { en: { title: 'Rules', text: 'Wear your badge.' } } }] }
    },
  },
  { call: visitorDocumentCalls.versions, given: async (ground) => ({ id: await hiddenDocument(ground) }) },
  { call: visitorDocumentCalls.signed, given: async (ground) => ({ id: await pendingVisit(ground) }) },
  {
    call: visitorDocumentCalls.file,
    // The visit has no document of this id.
    given: async (ground) => ({ id: await pendingVisit(ground), documentId: crypto.randomUUID() }),
    lastWord: [404, 404],
  },
]
