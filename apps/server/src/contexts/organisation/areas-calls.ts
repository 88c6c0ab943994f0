/** Handlers of organisations, their codes and their modules. */
import qrcode from 'qrcode'
import { areaCalls } from '@gatehouse/contract/organisation/areas'
import { handler, type MountedCall, type Platform } from '../../platform/context.ts'
import { sameSecret } from '../../platform/encryption/same-secret.ts'
import { InvalidRequest, NotFound } from '../../platform/http/refusal.ts'
import type { Session } from '../../platform/session/session.ts'
import type { AreaService } from './areas-types.ts'
import { PARK, updateOrganisationUnscoped, type Organisation } from './data.ts'
import type { OrganisationService } from './service.ts'
import { holdsLink, newVerificationCode, parkLink } from './verification.ts'

export interface AddressNeeds {
  /** Return the base address of links, as it was set for this organisation or the installation; null where none was set. */
  publicAddress(organisationId: string): string | null
}

export function areaHandlers(platform: Platform, service: OrganisationService, areas: AreaService, needs: AddressNeeds): MountedCall[] {
  /** Return a park that the caller may see; the current one by default. */
  function parkOf(session: Session, id: string | undefined): Organisation {
    const node = areas.visible(session, id ?? session.park.id)
    if (node.type !== PARK) throw new NotFound()
    return node
  }
  /** @param origin that the request was sent to: the console is there, unless the installation has an address or the caller names one */
  const linkOf = (node: Organisation, { expireTime, address }: { expireTime: number; address?: string | undefined }, origin: string) =>
    parkLink(platform.crypto, node.verificationCode!, {
      now: platform.clock.now(),
      hours: expireTime,
      address: needs.publicAddress(node.id) ?? address ?? origin,
    })
  const codeOf = ({ id, name, verificationCode }: Organisation) => ({ id, parkName: name, verificationCode: verificationCode! })

  return [
    handler(areaCalls.modules, async ({ session, query }) => areas.modules(session, query)),
    handler(areaCalls.read, ({ session, params }) => areas.read(session, params.id)),
    handler(areaCalls.add, async ({ session, body }) => ({ id: await areas.add(session, body) })),
    handler(areaCalls.update, async ({ session, body }) => {
      await areas.change(session, body)
      return { id: body.id }
    }),
    handler(areaCalls.delete, async ({ session, params }) => ({ id: params.id, removed: await areas.delete(session, params.id) })),
    handler(areaCalls.qrCode, async ({ session, query, origin }) => {
      const node = parkOf(session, query.id)
      const bytes = await qrcode.toBuffer(linkOf(node, query, origin).link, { type: 'png', width: query.width, margin: 2 })
      return { bytes, contentType: 'image/png', filename: `${node.name}.png` }
    }),
    handler(areaCalls.qrCodeInfo, async ({ session, query, origin }) => {
      const node = parkOf(session, query.id)
      return { ...linkOf(node, query, origin), parkName: node.name, verificationCode: node.verificationCode! }
    }),
    handler(areaCalls.verificationCode, async ({ session, query }) => codeOf(parkOf(session, query.id))),
    handler(areaCalls.renewVerificationCode, async ({ session, body }) => {
      const node = parkOf(session, body.id)
      const verificationCode = newVerificationCode()
      await service.changeTree(async (tx) => {
        await updateOrganisationUnscoped(tx, node.id, { verificationCode }, platform.clock.now())
        platform.audit.note({
          entity: 'organisation',
          id: node.id,
          label: node.name,
          before: { verificationCodeSecret: node.verificationCode },
          after: { verificationCodeSecret: verificationCode },
        })
        return { id: node.id, result: undefined }
      })
      return codeOf({ ...node, verificationCode })
    }),
    handler(areaCalls.byVerificationCode, async ({ query: { code, expires, sign } }) => {
      if (expires !== undefined || sign !== undefined) {
        const link = { code, expires: expires ?? 0, sign: sign ?? '' }
        if (!holdsLink(platform.crypto, link, platform.clock.now())) throw new InvalidRequest([{ path: 'expires', rule: 'linkEnded' }])
      }
      const node = service
        .tree()
        .parks()
        .find(({ verificationCode }) => verificationCode !== null && sameSecret(verificationCode, code))
      if (node === undefined) throw new InvalidRequest([{ path: 'code', rule: 'verificationCodeUnknown' }])
      return {
        parkName: node.name,
        areaCode: node.areaCode,
        parkType: node.parkType ?? 1,
        companyName: service.get(node.parentId!)?.name ?? '',
      }
    }),
  ]
}
