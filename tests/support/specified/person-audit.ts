/**
 * Approval of people submitted by a third party (M05). The specification shows no fields of these calls (entity TongdaAuditConfig): the
 * fields are ours, of `packages/contract/src/enrolment`.
 */
import { expect } from 'vitest'
import type { Ground, Json, SpecifiedCall } from './specified.ts'
import { madeGroup, nextNumber } from './making-people.ts'

/** Submit a person as a third party does, in a group of their own. */
async function handedIn(ground: Ground): Promise<{ id: string; name: string; groupId: string }> {
  const [{ id: groupId }, number] = [await madeGroup(ground), nextNumber()]
  const person = { system: 'tongda', reference: `T-${number}`, name: `Applicant ${number}`, workNumber: `T${number}`, groupId }
  const { id } = await ground.done('biz', 'POST', '/tongda/person', person)
  return { id: id as string, name: person.name, groupId }
}

const auditList = ({ listed }: Ground, query: string): Promise<Json[]> => listed('biz', 'GET', `/tongda/person/config/audit/list?${query}`)
const registered = ({ listed }: Ground, groupId: string): Promise<Json[]> => listed('biz', 'GET', `/person/base/list?groupId=${groupId}`)

export const personAuditCalls: readonly SpecifiedCall[] = [
  {
    id: 'CALL-158',
    service: 'biz',
    method: 'GET',
    path: '/tongda/person/config/audit/list',
    does: 'lists in pages who was handed in and waits, and who was decided about',
    async holds(ground) {
      const [first, second] = [await handedIn(ground), await handedIn(ground)]
      expect(await auditList(ground, 'state=pending&page=1&size=1')).toHaveLength(1)
      const waiting = await auditList(ground, 'state=pending&size=100')
      for (const one of [first, second]) expect(waiting).toContainEqual(expect.objectContaining({ ...one, system: 'tongda' }))
      await ground.done('biz', 'POST', '/tongda/person/config/audit/update', { ids: [first.id], state: 'passed' })
      expect((await auditList(ground, 'state=pending&size=100')).map(({ id }) => id)).not.toContain(first.id)
      expect(await auditList(ground, 'state=passed&size=100')).toContainEqual(expect.objectContaining({ id: first.id }))
    },
  },
  {
    id: 'CALL-159',
    service: 'biz',
    method: 'POST',
    path: '/tongda/person/config/audit/update',
    does: 'registers who is passed, and nobody who is rejected, for which a reason is needed',
    async holds(ground) {
      const [passed, rejected] = [await handedIn(ground), await handedIn(ground)]
      const decide = (body: Json) => ground.ask('biz', 'POST', '/tongda/person/config/audit/update', body)
      expect(await decide({ ids: [rejected.id], state: 'rejected' })).toMatchObject({ status: 400 })
      expect(await decide({ ids: [rejected.id], state: 'rejected', reason: 'Not one of ours' })).toMatchObject({ status: 200, code: 0 })
      expect(await decide({ ids: [passed.id], state: 'passed' })).toMatchObject({ status: 200, code: 0 })
      expect(await registered(ground, passed.groupId)).toMatchObject([{ name: passed.name }])
      expect(await registered(ground, rejected.groupId)).toEqual([])
      const [found] = await auditList(ground, `state=rejected&name=${encodeURIComponent(rejected.name)}`)
      expect(found).toMatchObject({ reason: 'Not one of ours' })
    },
  },
]
