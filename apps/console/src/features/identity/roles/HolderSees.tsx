/** What the holder of a role will find in the menu, while the role is being made. */
import { useTranslation } from 'react-i18next'
import { languageOf } from '@gatehouse/contract'
import { roleSign } from '@gatehouse/contract/enums/identity'
import { organisationCalls } from '@gatehouse/contract/organisation/calls'
import { useRead } from '../../../api/query.ts'
import { useSession } from '../../../api/session.ts'
import styles from '../identity.module.css'
import { isBuiltCode, isOpener } from '../permissions/granting.ts'
import { openedBy, entriesOf } from '../permissions/opened.ts'
import type { RoleValues } from './roleValues.ts'

export function HolderSees({ role }: { role: Pick<RoleValues, 'permissions' | 'roleSign' | 'organisationId'> }) {
  const { t, i18n } = useTranslation('identity')
  const { data: tree } = useRead(organisationCalls.tree, {})
  const { profile, park } = useSession()
  if (!profile) return null
  const { atRoot, lite, privatised } = profile.capabilities
  const permissions = new Set<string>(role.permissions)
  const language = languageOf(i18n.language)
  const circumstances = {
    roleSign: role.roleSign ?? roleSign.other,
    // At the root of the installation, if it is one's own node and that is the root.
    atRoot: atRoot && role.organisationId === tree?.id,
    lite,
    privatised,
    customerManager: park?.showCustomerManagerFlag === 1,
    deviceUpgradeType: profile.deviceUpgradeType,
    // Of the account, not of the role.
    masking: false,
  }
  const groups = openedBy(permissions, circumstances, language)
  const pages = groups.reduce((sum, { entries }) => sum + entries.length, 0)
  const without = [...permissions].filter((code) => isBuiltCode(code) && !isOpener(code) && entriesOf(code, language).length === 0).length
  return (
    <aside className={styles.sees} aria-label={t('role.sees')}>
      <h2>{t('role.sees')}</h2>
      <p role="status">{t('role.pages', { count: pages })}</p>
      {groups.map(({ group, entries }) => (
        <section key={group}>
          {group !== 'top' && <h3>{t(`shell:menu.${group}`)}</h3>}
          <ul>
            {entries.map((key) => (
              <li key={key}>{t(`shell:${key}`)}</li>
            ))}
          </ul>
        </section>
      ))}
      {without > 0 && <p style={{ paddingTop: 12 }}>{t('role.withoutPage', { count: without })}</p>}
    </aside>
  )
}
