/** Whether a photograph is demanded, whether the park keeps customers, and the group of customers. */
import { Form, TreeSelect } from 'antd'
import { useTranslation } from 'react-i18next'
import { parkSettingCalls } from '@gatehouse/contract/organisation/settings'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { useRead } from '../../../api/query.ts'
import { readPark } from '../../../api/readPark.ts'
import { useMayCall, useSession } from '../../../api/session.ts'
import { choicesOf } from '../../../kit/form/treeChoices.ts'
import { useWrite } from '../../../kit/form/useWrite.ts'
import styles from '../organisation.module.css'
import { FlagField, SettingGroup } from './SettingGroup.tsx'

export function Registration() {
  const { t } = useTranslation('organisation')
  const customers = useSession(({ park }) => park?.showCustomerManagerFlag === 1)
  const mayGroup = useMayCall(parkSettingCalls.setAutoRegisterGroup)
  return (
    <>
      <SettingGroup name="registration" read={parkSettingCalls.updateConfig} save={parkSettingCalls.saveUpdateConfig} onSaved={readPark}>
        <Form.Item name="staffFaceRegisterFlag" label={t('settings.staffFace')} extra={t('settings.staffFaceWords')}>
          <FlagField />
        </Form.Item>
        <Form.Item name="showCustomerManagerFlag" label={t('settings.customers')} extra={t('settings.customersWords')}>
          <FlagField />
        </Form.Item>
        <CustomerFace />
      </SettingGroup>
      {customers && mayGroup && <CustomerGroup />}
    </>
  )
}

/** Whether a photograph of customers is demanded; shown only where the park keeps customers. */
function CustomerFace() {
  const { t } = useTranslation('organisation')
  const keepsCustomers = Form.useWatch<0 | 1 | undefined>('showCustomerManagerFlag')
  return (
    <Form.Item
      name="customerFaceRegisterFlag"
      label={t('settings.customerFace')}
      extra={t('settings.customerFaceWords')}
      hidden={keepsCustomers !== 1}
    >
      <FlagField />
    </Form.Item>
  )
}

export function CustomerGroup() {
  const { t } = useTranslation('organisation')
  const chosen = useRead(parkSettingCalls.autoRegisterGroup, {})
  const groups = useRead(peopleCalls.groupTree, { query: { type: 1 } })
  const set = useWrite(parkSettingCalls.setAutoRegisterGroup, { done: t('settings.saved') })
  return (
    <section className={styles.group} aria-label={t('settings.customerGroup.title')}>
      <header>
        <h2>{t('settings.customerGroup.title')}</h2>
        <p>{t('settings.customerGroup.words')}</p>
      </header>
      <div>
        <TreeSelect
          aria-label={t('settings.customerGroup.title')}
          style={{ width: '100%' }}
          allowClear
          loading={chosen.isPending || groups.isPending || set.pending}
          {...(chosen.data?.groupId && { value: chosen.data.groupId })}
          onChange={(groupId: string | undefined) => set.run({ query: groupId === undefined ? {} : { groupId } })}
          treeData={choicesOf(groups.data ?? [])}
          treeDefaultExpandAll
          showSearch={{ treeNodeFilterProp: 'title' }}
          placeholder={t('settings.customerGroup.none')}
        />
      </div>
    </section>
  )
}
