/** Asks other parks to link. */
import { violatedConstraint } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import { sameSecret } from '../../platform/encryption/same-secret.ts'
import { InvalidRequest, refuse } from '../../platform/http/refusal.ts'
import type { Session } from '../../platform/session/session.ts'
import type { OrganisationService } from '../organisation/index.ts'
import * as data from './data.ts'
import { noteRelations } from './history.ts'
import { distinct } from './members.ts'
import type { RelationService, RelationParts, AppliedFields } from './service-types.ts'

/** Return the park that is asked: that of the code, which must be the one of a park id beside it. @throws InvalidRequest */
function receiverOf(
  organisation: OrganisationService,
  session: Session,
  { authorisationCode: code, applicationPark, receivingPark, parkId = receivingPark }: AppliedFields,
): string {
  if (applicationPark != null && applicationPark !== session.scope.parkId)
    throw new InvalidRequest([{ path: 'applicationPark', rule: 'unknown' }])
  if (receivingPark != null && receivingPark !== parkId) throw new InvalidRequest([{ path: 'receivingPark', rule: 'unknown' }])
  if (code != null) {
    const node = organisation
      .tree()
      .parks()
      .find(({ verificationCode }) => verificationCode !== null && sameSecret(verificationCode, code))
    if (node === undefined || (parkId != null && parkId !== node.id))
      throw new InvalidRequest([{ path: 'authorisationCode', rule: 'verificationCodeUnknown' }])
    return node.id
  }
  if (parkId == null) throw new InvalidRequest([{ path: 'authorisationCode', rule: 'required' }])
  if (!organisation.parksBelow(session.organisationId).some(({ id }) => id === parkId))
    throw new InvalidRequest([{ path: 'parkId', rule: 'unknown' }])
  return parkId
}

/** Return the field that named the park. */
const fieldOf = ({ authorisationCode: code }: AppliedFields): string => (code == null ? 'parkId' : 'authorisationCode')

export function createApplying({
  platform,
  organisation,
  members,
  rows: { otherOf, parkOf },
}: RelationParts): Pick<RelationService, 'apply'> {
  const db = platform.db
  return {
    async apply(session, fields) {
      const { scope } = session
      const receiverPark = receiverOf(organisation, session, fields)
      if (receiverPark === scope.parkId) refuse(1100001, fieldOf(fields))
      const [personIds, groupIds] = [distinct(fields.personIds), distinct(fields.personGroupIds)]
      await members.assertExist(scope, personIds, groupIds)
      const id = newId()
      const duplicate = async (error: unknown): Promise<never> => {
        if (violatedConstraint(error) !== 'park_relation_open') throw error
        const open = (await data.findOpenRelations(scope, db)).find((row) => otherOf(scope, row) === receiverPark)
        return refuse(open?.status === 'agreed' ? 1100003 : 1100002, fieldOf(fields))
      }
      await platform
        .transaction(async (tx) => {
          await data.insertRelation(scope, tx, { id, receiverPark, remark: fields.remark }, platform.clock.now())
          await data.replaceMembers(scope, tx, id, 'person', personIds)
          await data.replaceMembers(scope, tx, id, 'personGroup', groupIds)
          await noteRelations(platform, tx, scope, [id])
          platform.audit.note({
            entity: 'parkRelation',
            id,
            label: parkOf(receiverPark)?.name ?? '',
            after: { status: 'applied', persons: personIds.length, personGroups: groupIds.length, remark: fields.remark },
          })
        })
        .catch(duplicate)
      return id
    },
  }
}
