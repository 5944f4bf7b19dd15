/**
 * What some tests need and a machine may lack. Tests that lack it are skipped, with the reason; where
 * `RATEWRIGHT_TEST_REQUIRE` names it, as in `postgres,browser`, their file fails instead. Where it is not set but `CI`
 * is, PostgreSQL is required.
 */
const TOOLS = ['postgres', 'browser'] as const;
type Tool = (typeof TOOLS)[number];

type Environment = Readonly<Record<string, string | undefined>>;

const USUAL_IN_CI = 'postgres';

/** Throws for a word that names no tool, because it would require nothing. */
export function requiredTools(environment: Environment): ReadonlySet<Tool> {
  const usual = environment['CI'] === undefined ? '' : USUAL_IN_CI;
  const words = (environment['RATEWRIGHT_TEST_REQUIRE'] ?? usual).split(',').filter(Boolean);
  return new Set(
    words.map((word) => {
      const tool = TOOLS.find((each) => each === word);
      if (tool === undefined) throw new Error(`RATEWRIGHT_TEST_REQUIRE=${word}: ${TOOLS.join(', ')}`);
      return tool;
    }),
  );
}

/** The reason to skip what needs the tool, or false; throws where there is a reason and the tool is required. */
export function reasonToSkip(
  tool: Tool,
  missing: string | false,
  environment: Environment = process.env,
): string | false {
  if (missing !== false && requiredTools(environment).has(tool))
    throw new Error(`${missing}; it is required`);
  return missing;
}
