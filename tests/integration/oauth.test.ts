/** A certified OAuth 2 client accepts our token call as described by RFC 6749. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as oauth from 'openid-client'
import { identityCalls } from '@gatehouse/contract/identity/calls'
import { clientCalls } from '@gatehouse/contract/identity/clients'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { createClient } from '@gatehouse/dev-env/client'
import { startWorld, type World } from '@gatehouse/dev-env/world'

let world: World
let apiUser: { id: string; ApiKey: string; ApiSecret: string }
beforeAll(async () => {
  world = await startWorld()
  apiUser = await world.call(clientCalls.create, {
    body: { name: 'Payroll', permissions: ['person', 'person.list'], organisationId: world.park.id, accessTokenValidity: 600 },
  })
})
afterAll(() => world?.stop())

function configuration(secret: string): oauth.Configuration {
  const { url } = identityCalls.token
  const server = { issuer: world.url, token_endpoint: world.url + url }
  const made = new oauth.Configuration(server, apiUser.ApiKey, undefined, oauth.ClientSecretBasic(secret))
  // The tests' server speaks plain http.
  oauth.allowInsecureRequests(made)
  return made
}

test('it obtains a token, calls with it, and refreshes it', async () => {
  const config = configuration(apiUser.ApiSecret)
  const person = await world.person()
  const tokens = await oauth.clientCredentialsGrant(config, { areaCode: world.park.areaCode })
  expect(tokens.token_type).toBe('bearer')
  expect(tokens.expiresIn()).toBeGreaterThan(590)
  const found = async (bearer: string) =>
    (await createClient(world.url, { bearer }).call(peopleCalls.list, { query: { name: person.name } })).content.map(({ id }) => id)
  expect(await found(tokens.access_token)).toEqual([person.id])

  const refreshed = await oauth.refreshTokenGrant(config, tokens.refresh_token!)
  expect(refreshed.access_token).not.toBe(tokens.access_token)
  expect(await found(refreshed.access_token)).toEqual([person.id])
  // What was replaced is invalid: both the token and its refresh token.
  expect(await createClient(world.url, { bearer: tokens.access_token }).ask(peopleCalls.list, { query: {} })).toMatchObject({
    status: 401,
    code: 100412,
  })
  await expect(oauth.refreshTokenGrant(config, tokens.refresh_token!)).rejects.toMatchObject({
    constructor: oauth.ResponseBodyError,
    error: 'invalid_grant',
    status: 400,
  })

  const resource = await oauth.fetchProtectedResource(config, refreshed.access_token, new URL(world.url + peopleCalls.list.url), 'GET')
  expect(resource.status).toBe(200)
  expect(((await resource.json()) as { code: number }).code).toBe(0)
})

test('it understands that the secret is wrong, and that a park is not one of its own', async () => {
  const wrong = await oauth.clientCredentialsGrant(configuration('guessed')).catch((error: unknown) => error)
  expect(wrong).toBeInstanceOf(oauth.WWWAuthenticateChallengeError)
  expect(wrong).toMatchObject({ status: 401, cause: [{ scheme: 'basic' }] })

  const other = await world.addPark()
  const foreign = await oauth
    .clientCredentialsGrant(configuration(apiUser.ApiSecret), { areaCode: other.park.areaCode })
    .catch((error: unknown) => error)
  expect(foreign).toBeInstanceOf(oauth.ResponseBodyError)
  expect(foreign).toMatchObject({ status: 400, error: 'invalid_grant', cause: { code: 100413 } })
})

test('it understands that the API user is disabled', async () => {
  await world.call(clientCalls.enable, { body: { id: apiUser.id, status: 0 } })
  const disabled = await oauth.clientCredentialsGrant(configuration(apiUser.ApiSecret)).catch((error: unknown) => error)
  expect(disabled).toBeInstanceOf(oauth.ResponseBodyError)
  expect(disabled).toMatchObject({ status: 400, error: 'invalid_grant', cause: { code: 901 } })
})
