{{- define "graphpalace.name" -}}
{{- if contains "graphpalace" .Release.Name -}}
{{- .Release.Name | trunc 63 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-graphpalace" .Release.Name | trunc 63 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "graphpalace.selector" -}}
app.kubernetes.io/name: graphpalace
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "graphpalace.labels" -}}
{{ include "graphpalace.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | quote }}
{{- end -}}

{{- /* graphpalace.toml. JSON writes texts, numbers and lists as TOML does. */ -}}
{{- define "graphpalace.toml" -}}
{{- $own := dict "uri" .Values.neo4j.uri "user" .Values.neo4j.user "database" .Values.neo4j.database "data_dir" "/data" "cache_dir" "/cache" -}}
{{- $given := deepCopy .Values.settings -}}
{{- $settings := set $given "neo4j" (merge $own (dig "neo4j" dict $given)) -}}
{{- $settings = set $given "backup" (merge (dict "folder" "/backups") (dig "backup" dict $given)) -}}
{{- range $section, $keys := $settings }}
{{- include "graphpalace.table" (dict "name" $section "keys" $keys) }}
{{- end }}
{{- end -}}

{{- define "graphpalace.table" }}
[{{ .name }}]
{{- $tables := dict }}
{{- range $key, $value := .keys }}
{{- if kindIs "map" $value }}
{{- $_ := set $tables (printf "%s.%s" $.name (include "graphpalace.key" $key)) $value }}
{{- else }}
{{ include "graphpalace.key" $key }} = {{ toJson $value }}
{{- end }}
{{- end }}
{{ range $name, $keys := $tables }}
{{- include "graphpalace.table" (dict "name" $name "keys" $keys) }}
{{- end }}
{{- end -}}

{{- define "graphpalace.key" -}}
{{- if regexMatch "^[A-Za-z0-9_-]+$" . }}{{ . }}{{ else }}{{ toJson . }}{{ end -}}
{{- end -}}

{{- /* What the pods of the service and of the backup have in common. */ -}}
{{- define "graphpalace.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile:
    type: RuntimeDefault
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . | quote }}
  {{- end }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- define "graphpalace.container" -}}
image: {{ printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
env:
  - name: GRAPHPALACE_CONFIG
    value: /etc/graphpalace/graphpalace.toml
  - name: GRAPHPALACE_NEO4J__PASSWORD
    valueFrom:
      secretKeyRef: {{- toJson .Values.neo4j.passwordSecret | nindent 8 }}
  - name: GRAPHPALACE_SERVICE__API_KEY
    valueFrom:
      secretKeyRef: {{- toJson .Values.apiKeySecret | nindent 8 }}
  {{- range $name, $secret := .Values.secretSettings }}
  - name: {{ $name }}
    valueFrom:
      secretKeyRef: {{- toJson $secret | nindent 8 }}
  {{- end }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
volumeMounts:
  - {name: settings, mountPath: /etc/graphpalace, readOnly: true}
  - {name: data, mountPath: /data}
  - {name: models, mountPath: /cache}
  - {name: tmp, mountPath: /tmp}
  {{- with .Values.extraVolumeMounts }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end -}}

{{- define "graphpalace.volumes" -}}
volumes:
  - name: settings
    configMap:
      name: {{ include "graphpalace.name" . }}
  # What is of one pod: who runs here, and the state of its hooks. Each pod needs one of its own.
  - name: data
    emptyDir: {sizeLimit: 1Gi}
  - name: models
    {{- if .Values.modelsClaim }}
    persistentVolumeClaim: {claimName: {{ .Values.modelsClaim | quote }}}
    {{- else }}
    emptyDir: {sizeLimit: 2Gi}
    {{- end }}
  - name: tmp
    emptyDir: {sizeLimit: 2Gi}
  {{- with .Values.extraVolumes }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end -}}
