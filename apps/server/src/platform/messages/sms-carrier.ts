/** Text messages, by the short message service of Alibaba Cloud (Dysmsapi 2017-05-25, SendSms), from its published interface. */
import { randomUUID } from 'node:crypto'
import type { Clock } from '../time/clock.ts'
import { signedAcsRequest } from './acs-signature.ts'
import { Undelivered, type Carrier, type ProviderAccounts } from './carrier.ts'
import { askProvider } from './provider-request.ts'

/** Refusals that may pass by themselves: too much at once or today, no credit left, an overloaded provider. */
const PASSING = [
  /^isv\.(BUSINESS_LIMIT_CONTROL|DAY_LIMIT_CONTROL|MONTH_LIMIT_CONTROL|AMOUNT_NOT_ENOUGH|OUT_OF_SERVICE)$/,
  /^isp\.(SYSTEM_ERROR|GATEWAY_ERROR)$/,
  /^Throttling/,
  /^(ServiceUnavailable|InternalError|SignatureNonceUsed)$/,
]

/** Return a number as the provider wants it: digits, with a country code unless it is of the mainland. */
const dialled = (phone: string): string => phone.replaceAll(/\D/g, '').replace(/^0086(?=\d{11}$)|^86(?=1\d{10}$)/, '')

interface SmsParts {
  /** Start of the provider's address. */
  url: string
  clock: Clock
  accounts: () => Pick<ProviderAccounts, 'sms'>
  patienceMs: number
}

export function createSmsCarrier({ url, clock, accounts, patienceMs }: SmsParts): Carrier {
  const accountOf = ({ parkId, occasion }: { parkId: string; occasion: Parameters<ProviderAccounts['sms']>[1] }) =>
    accounts().sms(parkId, occasion)

  return {
    carries: ({ template }) => template !== undefined && accountOf(template) !== null,
    async send(id, { to, template }) {
      const account = template && accountOf(template)
      if (template === undefined || !account) throw new Undelivered('Text messages are not set up', true)
      const address = new URL(url)
      const { query, headers } = signedAcsRequest(
        {
          host: address.host,
          action: 'SendSms',
          version: '2017-05-25',
          date: new Date(clock.now()).toISOString().replace(/\.\d+/, ''),
          nonce: randomUUID(),
          parameters: {
            PhoneNumbers: dialled(to),
            SignName: account.signature,
            TemplateCode: account.template,
            TemplateParam: JSON.stringify(template.values),
            OutId: id,
          },
        },
        account,
      )
      address.search = query
      // `fetch` writes the host itself.
      const { host: _, ...sent } = headers
      const { status, body } = await askProvider(address, { method: 'POST', headers: sent }, patienceMs)
      const code = String(body['Code'] ?? '')
      if (code === 'OK') return
      const isPassing = status >= 500 || status === 429 || PASSING.some((pattern) => pattern.test(code))
      throw new Undelivered(`${code || `HTTP ${status}`} ${String(body['Message'] ?? '')}`.trim(), !isPassing)
    },
    stop: () => {},
  }
}
