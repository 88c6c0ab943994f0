/** Customers whose validity has ended or ends soon (module M03): the notice after login checks for them, and offers them as a file. */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { expiredCustomersStatus } from '../enums/organisation.ts'
import { masked } from '../masking.ts'
import { id, instant } from '../schema.ts'

const call = callsOf('people')

/** One row of the file. */
export const expiringCustomer = z.object({
  id,
  name: masked('name', z.string()),
  workNumber: z.string(),
  phone: masked('phone', z.string()),
  groupName: z.string(),
  validFrom: instant.nullable(),
  validTo: instant,
  remark: z.string(),
})
export type ExpiringCustomer = z.output<typeof expiringCustomer>

export const customerCalls = {
  expired: call({
    method: 'GET',
    service: 'biz',
    path: '/person/expiredCustomers',
    permission: 'person.list',
    summary:
      'Customers whose validity has ended or ends within five days, as an Excel file in the language of the request; the ' +
      'headings alone where there are none.',
    produces: 'file',
  }),
  checkExpired: call({
    method: 'GET',
    service: 'biz',
    path: '/person/checkExpiredCustomers',
    permission: 'person.list',
    summary: 'Whether there are such customers: 4 yes, 0 no, 3 there are no customers at all.',
    data: z.object({ status: expiredCustomersStatus.schema }),
  }),
}
