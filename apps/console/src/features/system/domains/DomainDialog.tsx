/** Adds a domain or changes one. */
import { Form, Input, Segmented } from 'antd'
import { useTranslation } from 'react-i18next'
import { TEXT_MAX } from '@gatehouse/contract'
import { domainShowType } from '@gatehouse/contract/enums/organisation'
import { lookCalls, type Domain } from '@gatehouse/contract/system/look'
import { useEnumOptions } from '../../../kit/detail/EnumTag.tsx'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { ready } from '../../../kit/form/loaded.ts'
import { OrganisationField } from '../../../shared/OrganisationField.tsx'
import { PictureField } from '../../../kit/media/PictureField.tsx'
import type { Editor } from '../../../kit/form/useEditor.ts'

const valuesOf = (domain: Domain | undefined) => ({
  address: domain?.address ?? '',
  name: domain?.name ?? '',
  showType: domain?.showType ?? domainShowType.custom,
  logo: domain?.logo ?? '',
  bigScreenLogo: domain?.bigScreenLogo ?? '',
  remark: domain?.remark ?? '',
  ...(domain && { organisationId: domain.organisationId }),
})

export default function DomainDialog({ editor }: { editor: Editor<Domain> }) {
  const { t } = useTranslation('system')
  const { target } = editor
  const initial = ready(valuesOf(target))
  if (target === undefined)
    return (
      <FormDialog
        call={lookCalls.addDomain}
        editor={editor}
        title={t('domains.add')}
        initial={initial}
        done={t('domains.added')}
        draft="domain.add"
      >
        <Fields />
      </FormDialog>
    )
  return (
    <FormDialog
      call={lookCalls.changeDomain}
      editor={editor}
      title={t('domains.editOf', { name: target.address })}
      initial={initial}
      hidden={{ id: target.id, version: target.version }}
      done={t('domains.saved')}
      draft={`domain.${target.id}`}
    >
      <Fields />
    </FormDialog>
  )
}

function Fields() {
  const { t } = useTranslation('system')
  const optionsOf = useEnumOptions()
  const custom = Form.useWatch('showType') === domainShowType.custom
  return (
    <>
      <Form.Item name="address" label={t('domains.domain')} extra={t('domains.addressExtra')} required>
        <Input maxLength={255} placeholder="https://gate.example.org" />
      </Form.Item>
      <Form.Item name="organisationId" label={t('domains.organisation')}>
        <OrganisationField />
      </Form.Item>
      <Form.Item name="name" label={t('domains.name')} extra={t('domains.nameExtra')}>
        <Input maxLength={TEXT_MAX} />
      </Form.Item>
      <Form.Item name="showType" label={t('domains.showType')} extra={custom ? t('look.customWords') : t('look.neutralWords')}>
        <Segmented aria-label={t('domains.showType')} options={optionsOf(domainShowType)} />
      </Form.Item>
      <Form.Item name="logo" label={t('domains.logo')} hidden={!custom}>
        <PictureField use="logo" name={t('domains.logo')} />
      </Form.Item>
      <Form.Item name="bigScreenLogo" label={t('domains.bigScreenLogo')} hidden={!custom}>
        <PictureField use="logo" name={t('domains.bigScreenLogo')} />
      </Form.Item>
      <Form.Item name="remark" label={t('domains.remark')}>
        <Input maxLength={TEXT_MAX} />
      </Form.Item>
    </>
  )
}
