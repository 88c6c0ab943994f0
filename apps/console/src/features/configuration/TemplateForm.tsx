/** A template: name, the devices it fits, and what it sets. */
import { Form, Input, Select } from 'antd'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { configurationCalls, type SettingTemplate } from '@gatehouse/contract/configuration/calls'
import { modelsOfType } from '@gatehouse/contract/enums/device-models'
import { isTypeBuilt } from '@gatehouse/contract/built'
import { deviceModel, deviceType } from '@gatehouse/contract/enums/devices'
import { DetailPage } from '../../kit/DetailPage.tsx'
import { useEnumLabel } from '../../kit/EnumTag.tsx'
import { useRead } from '../../kit/query.ts'
import { Screen } from '../../kit/Screen.tsx'
import { useContractForm } from '../../kit/useContractForm.ts'
import { path } from '../../paths.ts'
import { SettingsForm } from './SettingsForm.tsx'
import { UNKEPT, contradictionsIn, inheritedFrom, sourcesOf, type SettingValues } from './settingValues.ts'
import styles from './configuration.module.css'

interface TemplateValues extends SettingValues {
  name?: string
  type: number
  model: number
}

const NEW: TemplateValues = { type: deviceType.faceAccessController, model: deviceModel.standard, settings: {} }

export function AddTemplate() {
  const { t } = useTranslation('configuration')
  const navigate = useNavigate()
  const park = useRead(configurationCalls.park, {})
  const inherited = useMemo(() => inheritedFrom(park.data?.settings), [park.data])
  const contract = useContractForm<typeof configurationCalls.addTemplate, TemplateValues>({
    call: configurationCalls.addTemplate,
    also: ({ settings }) => contradictionsIn(settings, inherited),
    unkept: UNKEPT,
    draft: 'deviceSettingTemplate.add',
    done: t('template.added'),
    once: true,
    onDone: () => void navigate(path('deviceConfigTemplates')),
  })
  return (
    <Screen title={t('template.add')}>
      <p className={styles.words}>{t('template.words')}</p>
      <DetailPage query={park}>
        {() => (
          <SettingsForm contract={contract} initial={NEW} inherited={inherited} secrets={{ consolePassword: null, wifi: null }}>
            <TemplateFields />
          </SettingsForm>
        )}
      </DetailPage>
    </Screen>
  )
}

export function ChangeTemplate({ id }: { id: string }) {
  const { t } = useTranslation('configuration')
  const template = useRead(configurationCalls.template, { params: { id } })
  const park = useRead(configurationCalls.park, {})
  return (
    <Screen title={t('template.title', { name: template.data?.name ?? '' })}>
      <p className={styles.words}>{t('template.words')}</p>
      <DetailPage query={park}>
        {({ settings }) => <DetailPage query={template}>{(found) => <TemplateSettings template={found} park={settings} />}</DetailPage>}
      </DetailPage>
    </Screen>
  )
}

function TemplateSettings({ template, park }: { template: SettingTemplate; park: SettingTemplate['settings'] }) {
  const { t } = useTranslation('configuration')
  const navigate = useNavigate()
  const { id, name, type, model, settings, version } = template
  const inherited = useMemo(() => inheritedFrom(park), [park])
  const initial = useMemo((): TemplateValues => ({ name, type, model, settings }), [name, type, model, settings])
  const contract = useContractForm<typeof configurationCalls.changeTemplate, TemplateValues>({
    call: configurationCalls.changeTemplate,
    hidden: { id, version },
    also: ({ settings: given }) => contradictionsIn(given, inherited),
    unkept: UNKEPT,
    draft: `deviceSettingTemplate.${id}`,
    done: t('template.saved'),
    once: true,
    onDone: () => void navigate(path('deviceConfigTemplates')),
  })
  return (
    <SettingsForm contract={contract} initial={initial} inherited={inherited} secrets={sourcesOf(template.secretsSet)}>
      <TemplateFields />
    </SettingsForm>
  )
}

/** The models on offer follow the type. */
function TemplateFields() {
  const { t } = useTranslation('configuration')
  const label = useEnumLabel()
  const form = Form.useFormInstance<TemplateValues>()
  const type = Form.useWatch('type', form)
  const models: readonly number[] = modelsOfType[type ?? 0] ?? deviceModel.values
  return (
    <section className={styles.section} aria-labelledby="section-template">
      <header>
        <h2 id="section-template">{t('template.section')}</h2>
        <p>{t('template.fits')}</p>
      </header>
      <div className={styles.fields}>
        <Form.Item name="name" label={t('template.name')} required className={styles.wide ?? ''}>
          <Input maxLength={32} autoComplete="off" />
        </Form.Item>
        <Form.Item name="type" label={t('type')} required>
          <Select
            options={deviceType.values
              .filter((value) => isTypeBuilt(value) || value === type)
              .map((value) => ({ value, label: label(deviceType, value) }))}
            showSearch={{ optionFilterProp: 'label' }}
            onChange={(chosen: number) => form.setFieldValue('model', modelsOfType[chosen]?.[0] ?? deviceModel.standard)}
          />
        </Form.Item>
        <Form.Item name="model" label={t('model')} required>
          <Select options={models.map((value) => ({ value, label: label(deviceModel, value) }))} />
        </Form.Item>
      </div>
    </section>
  )
}
