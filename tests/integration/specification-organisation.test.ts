/** The calls of organisation and installation (M04), sent as the specification writes them. */
import { domainCalls, installationCalls, logCalls, lookCalls, noticeCalls, restarts } from '../support/specified/installation.ts'
import { deviceLimitCalls, organisationCalls } from '../support/specified/organisations.ts'
import { parkSettingCalls } from '../support/specified/park-settings.ts'
import { trySpecified } from '../support/specified/specified.ts'

trySpecified(
  [
    ...organisationCalls,
    ...deviceLimitCalls,
    ...parkSettingCalls,
    ...lookCalls,
    ...domainCalls,
    ...installationCalls,
    ...noticeCalls,
    ...logCalls,
  ],
  { onRestart: () => void restarts.asked++ },
)
