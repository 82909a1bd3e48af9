declare module 'parse-prometheus-text-format' {
  interface ParsedMetric {
    readonly labels?: Readonly<Record<string, string>>;
    readonly value?: string;
    readonly buckets?: Readonly<Record<string, string>>;
  }
  interface ParsedFamily {
    readonly name: string;
    readonly help: string;
    readonly type: string;
    readonly metrics: readonly ParsedMetric[];
  }
  function parsePrometheusTextFormat(text: string): readonly ParsedFamily[];
  export = parsePrometheusTextFormat;
}
