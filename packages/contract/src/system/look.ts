/** Branding of the installation: name, logo and background, for all or for one domain. */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { IMAGE_MAX_SMALL, TEXT_MAX } from '../limits.ts'
import { changeOf, created, id, idParams, pageData, pageQuery } from '../schema.ts'
import { rule } from '../validation.ts'

const call = callsOf('system')

/**
 * A picture: the address that `POST /upload/image` returned, the address that is shown now, a `data:` address, or empty for none. Absent in
 * a body: unchanged.
 */
export const picture = z.string().max(2 * IMAGE_MAX_SMALL)

/** `neutral`: the product's own mark. `custom`: the logo that was set. */
export const showType = z.enum(['neutral', 'custom'])

export const look = z.object({
  showType,
  /** Whether the name is shown. */
  enableSystemName: z.boolean(),
  systemName: z.string(),
  /** Address of the logo, readable without a token; empty if there is none. */
  logoContent: z.string(),
  /** Address of the login page's background; empty: the product's own. */
  background: z.string(),
})
export type Look = z.output<typeof look>

const HOST =
  /^(\[[0-9a-f:.]+\]|(?=.{1,253}$)[\p{L}\p{N}_]([\p{L}\p{N}_-]{0,61}[\p{L}\p{N}])?(\.[\p{L}\p{N}_]([\p{L}\p{N}_-]{0,61}[\p{L}\p{N}])?)*)$/iu

/**
 * Return the fault of a domain's address: `scheme` for a well-formed one that does not start with http or https; `form` for anything else
 * that is not the address of a site, such as one with a path. Null if it is valid.
 */
export function domainFault(address: string): 'scheme' | 'form' | null {
  const [, scheme, rest = ''] = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(.*)$/i.exec(address) ?? []
  const parts = /^(.*?)(?::(\d{1,5}))?\/?$/.exec(rest)
  const sound = parts !== null && HOST.test(parts[1] ?? '') && Number(parts[2] ?? 80) >= 1 && Number(parts[2] ?? 80) <= 65_535
  if (!sound) return 'form'
  return scheme !== undefined && /^https?$/i.test(scheme) ? null : 'scheme'
}

const domainBody = z.object({
  /** `https://gate.example.org`; 100415 if ill-formed, 100416 if taken. */
  address: z
    .string()
    .trim()
    .min(1)
    .max(255)
    .refine((value) => domainFault(value) !== 'scheme', rule('url')),
  /** Name of the installation on this domain; empty: the general name. */
  name: z.string().trim().max(TEXT_MAX).default(''),
  logo: picture.nullish(),
  /** Logo for wall screens and data screens. */
  bigScreenLogo: picture.nullish(),
  showType: showType.default('neutral'),
  /** Organisation of the domain; absent: the session's own. */
  organisationId: id.optional(),
  remark: z.string().trim().max(TEXT_MAX).default(''),
})

const version = z.number().int().optional()
export const domainChange = changeOf(domainBody).extend({ id, version })

export const domain = z.object({
  id,
  address: z.string(),
  name: z.string(),
  logo: z.string(),
  bigScreenLogo: z.string(),
  showType,
  organisationId: id,
  organisationName: z.string(),
  remark: z.string(),
  version: z.number().int(),
})
export type Domain = z.output<typeof domain>

const listDomains = call({
  method: 'GET',
  service: 'biz',
  path: '/domain/list',
  permission: 'system.domainName',
  summary: 'Domains of the organisations at and below the user’s own.',
  query: pageQuery.extend({ name: z.string().max(TEXT_MAX).optional(), address: z.string().max(255).optional() }),
  data: pageData(domain),
})

export const lookCalls = {
  uiConfig: call({
    method: 'GET',
    service: 'biz',
    path: '/system/ui/config',
    permission: 'public',
    summary: 'Name and look of the installation, needed before login; a domain with a look of its own is told by the Host header.',
    data: look,
  }),
  changeUiConfig: call({
    method: 'POST',
    service: 'biz',
    path: '/system/ui/config',
    permission: 'installation',
    besides: ['system.base'],
    summary: 'Sets name and look of the installation.',
    bodyLimit: 3 * IMAGE_MAX_SMALL,
    body: changeOf(
      z.object({
        showType,
        enableSystemName: z.boolean().default(true),
        systemName: z.string().trim().max(TEXT_MAX).default(''),
        logoContent: picture,
        background: picture,
      }),
    ).extend({ version }),
    data: look,
    errors: [200205, 900000],
  }),
  ownLook: call({
    method: 'GET',
    service: 'biz',
    path: '/system/ui/settings',
    permission: 'installation',
    besides: ['system.base'],
    summary: 'What is set for the whole installation, whichever domain asks; `version` for the next change.',
    data: look.extend({ /** Name that is shown while none is set. */ defaultName: z.string(), version: z.number().int() }),
    origin: 'own',
  }),
  background: call({
    method: 'GET',
    service: 'biz',
    path: '/system/ui/background/config',
    permission: 'public',
    summary: 'Background of the login page, needed before login.',
    data: z.object({ background: z.string() }),
  }),
  changeBackground: call({
    method: 'POST',
    service: 'biz',
    path: '/system/ui/background/config',
    permission: 'installation',
    besides: ['system.base'],
    summary: 'Sets the background of the login page; empty gives the product its own again.',
    bodyLimit: 3 * IMAGE_MAX_SMALL,
    body: z.object({ background: picture }),
    data: z.object({ background: z.string() }),
    errors: [200205, 900000],
    statuses: [409],
  }),
  domains: listDomains,
  addDomain: call({
    method: 'POST',
    service: 'biz',
    path: '/domain',
    permission: 'installation',
    besides: ['system.domainName'],
    summary: 'Adds a domain, with a name and logos of its own if wanted.',
    bodyLimit: 5 * IMAGE_MAX_SMALL,
    body: domainBody,
    data: created,
    errors: [100415, 100416, 200205, 900000],
  }),
  changeDomain: call({
    method: 'PUT',
    service: 'biz',
    path: '/domain',
    permission: 'installation',
    besides: ['system.domainName'],
    summary: 'Changes a domain.',
    bodyLimit: 5 * IMAGE_MAX_SMALL,
    record: listDomains,
    body: domainChange,
    errors: [100415, 100416, 200205, 900000],
  }),
  removeDomain: call({
    method: 'DELETE',
    service: 'biz',
    path: '/domain/{id}',
    permission: 'installation',
    besides: ['system.domainName'],
    summary: 'Removes a domain; who comes by it sees the look of the installation.',
    params: idParams,
  }),
  domainLogo: call({
    method: 'GET',
    service: 'biz',
    path: '/domain/logo',
    permission: 'public',
    summary: 'Logos of the domain the Host header names, else of the installation.',
    data: z.object({ name: z.string(), showType, logo: z.string(), bigScreenLogo: z.string() }),
  }),
}
