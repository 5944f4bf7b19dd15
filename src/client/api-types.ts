/**
 * Written by `npm run client:types` from the routes and their schemas; not to be edited. `CALLS` has a row for each
 * route, `Calls` its body, its parameters and its answer; the other schemas are the components of `/openapi.json`.
 */
export const CALLS = {
    listZones: {"verb":"GET","path":"/api/zones","isWrite":false,"hasBody":false,"isText":false,"otherStatuses":[]},
    getZone: {"verb":"GET","path":"/api/zones/:id","isWrite":false,"hasBody":false,"isText":false,"otherStatuses":[]},
    createZone: {"verb":"POST","path":"/api/zones","isWrite":true,"hasBody":true,"isText":false,"otherStatuses":[]},
    updateZone: {"verb":"PUT","path":"/api/zones/:id","isWrite":true,"hasBody":true,"isText":false,"otherStatuses":[]},
    deleteZone: {"verb":"DELETE","path":"/api/zones/:id","isWrite":true,"hasBody":false,"isText":false,"otherStatuses":[]},
    listGroups: {"verb":"GET","path":"/api/groups","isWrite":false,"hasBody":false,"isText":false,"otherStatuses":[]},
    getGroup: {"verb":"GET","path":"/api/groups/:id","isWrite":false,"hasBody":false,"isText":false,"otherStatuses":[]},
    createGroup: {"verb":"POST","path":"/api/groups","isWrite":true,"hasBody":true,"isText":false,"otherStatuses":[]},
    updateGroup: {"verb":"PUT","path":"/api/groups/:id","isWrite":true,"hasBody":true,"isText":false,"otherStatuses":[]},
    deleteGroup: {"verb":"DELETE","path":"/api/groups/:id","isWrite":true,"hasBody":false,"isText":false,"otherStatuses":[]},
    listMethods: {"verb":"GET","path":"/api/methods","isWrite":false,"hasBody":false,"isText":false,"otherStatuses":[]},
    getMethod: {"verb":"GET","path":"/api/methods/:id","isWrite":false,"hasBody":false,"isText":false,"otherStatuses":[]},
    createMethod: {"verb":"POST","path":"/api/methods","isWrite":true,"hasBody":true,"isText":false,"otherStatuses":[]},
    updateMethod: {"verb":"PUT","path":"/api/methods/:id","isWrite":true,"hasBody":true,"isText":false,"otherStatuses":[]},
    deleteMethod: {"verb":"DELETE","path":"/api/methods/:id","isWrite":true,"hasBody":false,"isText":false,"otherStatuses":[]},
    listRules: {"verb":"GET","path":"/api/rules","isWrite":false,"hasBody":false,"isText":false,"otherStatuses":[]},
    getRule: {"verb":"GET","path":"/api/rules/:id","isWrite":false,"hasBody":false,"isText":false,"otherStatuses":[]},
    createRule: {"verb":"POST","path":"/api/rules","isWrite":true,"hasBody":true,"isText":false,"otherStatuses":[]},
    updateRule: {"verb":"PUT","path":"/api/rules/:id","isWrite":true,"hasBody":true,"isText":false,"otherStatuses":[]},
    deleteRule: {"verb":"DELETE","path":"/api/rules/:id","isWrite":true,"hasBody":false,"isText":false,"otherStatuses":[]},
    listBlendedRates: {"verb":"GET","path":"/api/blended","isWrite":false,"hasBody":false,"isText":false,"otherStatuses":[]},
    getBlendedRate: {"verb":"GET","path":"/api/blended/:id","isWrite":false,"hasBody":false,"isText":false,"otherStatuses":[]},
    createBlendedRate: {"verb":"POST","path":"/api/blended","isWrite":true,"hasBody":true,"isText":false,"otherStatuses":[]},
    updateBlendedRate: {"verb":"PUT","path":"/api/blended/:id","isWrite":true,"hasBody":true,"isText":false,"otherStatuses":[]},
    deleteBlendedRate: {"verb":"DELETE","path":"/api/blended/:id","isWrite":true,"hasBody":false,"isText":false,"otherStatuses":[]},
    listChecks: {"verb":"GET","path":"/api/checks","isWrite":false,"hasBody":false,"isText":false,"otherStatuses":[]},
    getCheck: {"verb":"GET","path":"/api/checks/:id","isWrite":false,"hasBody":false,"isText":false,"otherStatuses":[]},
    createOrRunChecks: {"verb":"POST","path":"/api/checks","isWrite":true,"hasBody":true,"isText":false,"otherStatuses":[]},
    updateCheck: {"verb":"PUT","path":"/api/checks/:id","isWrite":true,"hasBody":true,"isText":false,"otherStatuses":[]},
    deleteCheck: {"verb":"DELETE","path":"/api/checks/:id","isWrite":true,"hasBody":false,"isText":false,"otherStatuses":[]},
    getCoverage: {"verb":"GET","path":"/api/coverage","isWrite":false,"hasBody":false,"isText":false,"otherStatuses":[]},
    sweep: {"verb":"POST","path":"/api/simulate/sweep","isWrite":false,"hasBody":true,"isText":false,"otherStatuses":[]},
    getConfig: {"verb":"GET","path":"/api/config","isWrite":false,"hasBody":false,"isText":false,"otherStatuses":[]},
    lintConfig: {"verb":"GET","path":"/api/config/lint","isWrite":false,"hasBody":false,"isText":false,"otherStatuses":[]},
    replaceConfig: {"verb":"POST","path":"/api/config","isWrite":true,"hasBody":true,"isText":false,"otherStatuses":[]},
    listVersions: {"verb":"GET","path":"/api/versions","isWrite":false,"hasBody":false,"isText":false,"otherStatuses":[]},
    getVersion: {"verb":"GET","path":"/api/versions/:id","isWrite":false,"hasBody":false,"isText":false,"otherStatuses":[]},
    changeVersion: {"verb":"POST","path":"/api/versions","isWrite":true,"hasBody":true,"isText":false,"otherStatuses":[]},
    getStaging: {"verb":"GET","path":"/api/staging","isWrite":false,"hasBody":false,"isText":false,"otherStatuses":[]},
    getPromotionGate: {"verb":"GET","path":"/api/staging/gate","isWrite":false,"hasBody":false,"isText":false,"otherStatuses":[]},
    changeStaging: {"verb":"POST","path":"/api/staging","isWrite":true,"hasBody":true,"isText":false,"otherStatuses":[]},
    simulate: {"verb":"POST","path":"/api/simulate","isWrite":false,"hasBody":true,"isText":false,"otherStatuses":[]},
    simulateBatch: {"verb":"POST","path":"/api/simulate/batch","isWrite":false,"hasBody":true,"isText":false,"otherStatuses":[]},
    getVocabulary: {"verb":"GET","path":"/api/vocabulary","isWrite":false,"hasBody":false,"isText":false,"otherStatuses":[]},
    getShop: {"verb":"GET","path":"/api/shop","isWrite":false,"hasBody":false,"isText":false,"otherStatuses":[]},
    updateShop: {"verb":"PUT","path":"/api/shop","isWrite":true,"hasBody":true,"isText":false,"otherStatuses":[]},
    listKeys: {"verb":"GET","path":"/api/keys","isWrite":false,"hasBody":false,"isText":false,"otherStatuses":[]},
    getCurrentKey: {"verb":"GET","path":"/api/keys/current","isWrite":false,"hasBody":false,"isText":false,"otherStatuses":[]},
    createKey: {"verb":"POST","path":"/api/keys","isWrite":true,"hasBody":true,"isText":false,"otherStatuses":[]},
    revokeKey: {"verb":"DELETE","path":"/api/keys/:id","isWrite":true,"hasBody":false,"isText":false,"otherStatuses":[]},
    getIndex: {"verb":"GET","path":"/","isWrite":false,"hasBody":false,"isText":false,"otherStatuses":[]},
    getHealth: {"verb":"GET","path":"/healthz","isWrite":false,"hasBody":false,"isText":false,"otherStatuses":[]},
    getReadiness: {"verb":"GET","path":"/readyz","isWrite":false,"hasBody":false,"isText":false,"otherStatuses":[503]},
    getMetrics: {"verb":"GET","path":"/metrics","isWrite":false,"hasBody":false,"isText":true,"otherStatuses":[]},
    getOpenApi: {"verb":"GET","path":"/openapi.json","isWrite":false,"hasBody":false,"isText":false,"otherStatuses":[]},
} as const;
export interface components {
    schemas: {
        ActionWord: {
            name: string;
            /** @description Empty: it takes no adjustment */
            adjustmentTypes: string[];
        };
        Batch: {
            id: string;
            /** @description How many consecutive versions share the batch id */
            size: number;
        };
        BisectAnswer: {
            from: components["schemas"]["VersionRecord"];
            to: components["schemas"]["VersionRecord"];
            /** @description Versions that were evaluated */
            evaluated: number;
            /** @description Oldest first */
            flips: components["schemas"]["Flip"][];
            /** @description There are more flips */
            limited: boolean;
        };
        BisectVersions: {
            /** @constant */
            action: "bisect";
            request: components["schemas"]["SimulateRequest"];
            /** @description Accepts an ISO 8601 time with an offset, such as 2026-11-18T17:00:00Z */
            at?: string;
            /**
             * @description Accepts an id of a version, its number in decimal as text, or live
             * @example version_01JD3V8RZK6Q9W5T7X2Y4B8N0G
             */
            from?: string;
            /**
             * @description Accepts an id of a version, its number in decimal as text, or live
             * @example version_01JD3V8RZK6Q9W5T7X2Y4B8N0G
             */
            to?: string;
            serviceCode?: string;
        };
        BlendedComponent: {
            /**
             * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
             * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
             */
            productGroupId: string;
            methodId: string | null;
            price: number | null;
        };
        BlendedCreate: {
            /** @description Accepts text of 1 to 200 characters without control characters */
            name: string;
            /** @description Accepts text of 0 to 500 characters without control characters */
            subtitle?: string;
            /** @description Accepts text of 1 to 100 characters without control characters */
            serviceCode?: string;
            /**
             * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
             * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
             */
            zoneId: string;
            /** @description Accepts whole cents, 0 to 9,007,199,254,740,991, or null */
            freeShippingThreshold?: number | null;
            /**
             * @description What freeShippingThreshold is compared with; cart_total by default. Accepts one of cart_total, order_total
             * @enum {unknown}
             */
            thresholdBasis?: "cart_total" | "order_total";
            preferences?: components["schemas"]["PreferenceInput"][];
            enabled?: boolean;
            /** @description Accepts a 0-based position of at most 1,000,000 */
            position?: number;
            /** @description Read-only, ignored: an id does not change */
            id?: unknown;
        };
        BlendedEvaluation: {
            /**
             * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
             * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
             */
            blendedRateId: string;
            name: string;
            visible: boolean;
            reason: ("preferred_method_unavailable" | "group_without_rate") | null;
            rate: components["schemas"]["Rate"] | null;
            components: components["schemas"]["BlendedComponent"][];
        };
        BlendedRate: {
            /**
             * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
             * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
             */
            id: string;
            /** @description Accepts text of 1 to 200 characters without control characters */
            name: string;
            /** @description Accepts text of 0 to 500 characters without control characters */
            subtitle: string;
            /** @description Accepts text of 1 to 100 characters without control characters */
            serviceCode: string;
            /**
             * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
             * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
             */
            zoneId: string;
            /** @description Accepts whole cents, 0 to 9,007,199,254,740,991, or null */
            freeShippingThreshold: number | null;
            /**
             * @description What freeShippingThreshold is compared with; cart_total by default. Accepts one of cart_total, order_total
             * @enum {unknown}
             */
            thresholdBasis?: "cart_total" | "order_total";
            preferences: components["schemas"]["Preference"][];
            enabled: boolean;
        };
        BlendedRateData: {
            /**
             * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
             * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
             */
            id?: string;
            /** @description Accepts text of 1 to 200 characters without control characters */
            name: string;
            /** @description Accepts text of 0 to 500 characters without control characters */
            subtitle?: string;
            /** @description Accepts text of 1 to 100 characters without control characters */
            serviceCode?: string;
            /**
             * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
             * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
             */
            zoneId: string;
            /** @description Accepts whole cents, 0 to 9,007,199,254,740,991, or null */
            freeShippingThreshold?: number | null;
            /**
             * @description What freeShippingThreshold is compared with; cart_total by default. Accepts one of cart_total, order_total
             * @enum {unknown}
             */
            thresholdBasis?: "cart_total" | "order_total";
            preferences?: components["schemas"]["PreferenceInput"][];
            enabled?: boolean;
            /** @description Read-only, ignored: the place in the array is the position */
            position?: unknown;
        };
        BlendedRateRecord: {
            /**
             * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
             * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
             */
            id: string;
            /** @description Accepts text of 1 to 200 characters without control characters */
            name: string;
            /** @description Accepts text of 0 to 500 characters without control characters */
            subtitle: string;
            /** @description Accepts text of 1 to 100 characters without control characters */
            serviceCode: string;
            /**
             * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
             * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
             */
            zoneId: string;
            /** @description Accepts whole cents, 0 to 9,007,199,254,740,991, or null */
            freeShippingThreshold: number | null;
            /**
             * @description What freeShippingThreshold is compared with; cart_total by default. Accepts one of cart_total, order_total
             * @enum {unknown}
             */
            thresholdBasis?: "cart_total" | "order_total";
            preferences: components["schemas"]["Preference"][];
            enabled: boolean;
            /** @description Accepts a 0-based position of at most 1,000,000 */
            position: number;
        };
        BlendedUpdate: {
            /** @description Accepts text of 1 to 200 characters without control characters */
            name?: string;
            /** @description Accepts text of 0 to 500 characters without control characters */
            subtitle?: string;
            /** @description Accepts text of 1 to 100 characters without control characters */
            serviceCode?: string;
            /**
             * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
             * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
             */
            zoneId?: string;
            /** @description Accepts whole cents, 0 to 9,007,199,254,740,991, or null */
            freeShippingThreshold?: number | null;
            /**
             * @description What freeShippingThreshold is compared with; cart_total by default. Accepts one of cart_total, order_total
             * @enum {unknown}
             */
            thresholdBasis?: "cart_total" | "order_total";
            preferences?: components["schemas"]["PreferenceInput"][];
            enabled?: boolean;
            /** @description Accepts a 0-based position of at most 1,000,000 */
            position?: number;
            /**
             * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
             * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
             */
            id?: string;
        };
        /** @description by_weight on the greater of grams and volume / divisor, rounded up, of each item */
        ByDimensionalWeightConfig: {
            /** @description Accepts cubic millimetres per gram, 1 to 100,000 */
            divisor: number;
            /** @description Accepts a whole number, 0 to 9,007,199,254,740,991 */
            firstWeight: number;
            /** @description Accepts whole cents, 0 to 9,007,199,254,740,991 */
            firstPrice: number;
            /** @description Accepts whole grams, 1 to 9,007,199,254,740,991 */
            additionalWeight: number;
            /** @description Accepts whole cents, 0 to 9,007,199,254,740,991 */
            additionalPrice: number;
        };
        /** @description firstItemPrice + (quantity - 1) x additionalItemPrice */
        ByItemsConfig: {
            /** @description Accepts whole cents, 0 to 9,007,199,254,740,991 */
            firstItemPrice: number;
            /** @description Accepts whole cents, 0 to 9,007,199,254,740,991 */
            additionalItemPrice: number;
        };
        /** @description that of the tier with min <= total quantity < max */
        ByItemsTableConfig: {
            /** @description Accepts 1 to 1,000 tiers */
            tiers: {
                /** @description Accepts a whole number, 0 to 9,007,199,254,740,991 */
                minItems: number;
                /** @description Accepts a whole number, 0 to 9,007,199,254,740,991, or null for no upper bound */
                maxItems: number | null;
                /** @description Accepts whole cents, 0 to 9,007,199,254,740,991 */
                price: number;
            }[];
        };
        /** @description that of the tier with min <= total price < max */
        ByPriceTableConfig: {
            /** @description Accepts 1 to 1,000 tiers */
            tiers: {
                /** @description Accepts a whole number, 0 to 9,007,199,254,740,991 */
                minPrice: number;
                /** @description Accepts a whole number, 0 to 9,007,199,254,740,991, or null for no upper bound */
                maxPrice: number | null;
                /** @description Accepts whole cents, 0 to 9,007,199,254,740,991 */
                price: number;
            }[];
        };
        /** @description firstPrice + ceil(max(0, grams - firstWeight) / additionalWeight) x additionalPrice */
        ByWeightConfig: {
            /** @description Accepts a whole number, 0 to 9,007,199,254,740,991 */
            firstWeight: number;
            /** @description Accepts whole cents, 0 to 9,007,199,254,740,991 */
            firstPrice: number;
            /** @description Accepts whole grams, 1 to 9,007,199,254,740,991 */
            additionalWeight: number;
            /** @description Accepts whole cents, 0 to 9,007,199,254,740,991 */
            additionalPrice: number;
        };
        /** @description that of the tier with min <= grams < max */
        ByWeightTableConfig: {
            /** @description Accepts 1 to 1,000 tiers */
            tiers: {
                /** @description Accepts a whole number, 0 to 9,007,199,254,740,991 */
                minWeight: number;
                /** @description Accepts a whole number, 0 to 9,007,199,254,740,991, or null for no upper bound */
                maxWeight: number | null;
                /** @description Accepts whole cents, 0 to 9,007,199,254,740,991 */
                price: number;
            }[];
        };
        Calls: {
            /** @description All zones with their subzones, in the order in which they are matched */
            listZones: {
                query: {
                    /**
                     * @description The live configuration or the changeset, which is the default while one is active. Accepts live or staged
                     * @enum {unknown}
                     */
                    view?: "live" | "staged";
                };
                answer: {
                    zones: components["schemas"]["Zone"][];
                };
            };
            /** @description One zone */
            getZone: {
                id: string;
                query: {
                    /**
                     * @description The live configuration or the changeset, which is the default while one is active. Accepts live or staged
                     * @enum {unknown}
                     */
                    view?: "live" | "staged";
                };
                answer: {
                    zone: components["schemas"]["Zone"];
                };
            };
            /** @description Create a zone with its subzones */
            createZone: {
                body: components["schemas"]["ZoneCreate"];
                answer: {
                    zone: components["schemas"]["Zone"];
                };
            };
            /** @description Change a zone */
            updateZone: {
                id: string;
                body: components["schemas"]["ZoneUpdate"];
                answer: {
                    zone: components["schemas"]["Zone"];
                };
            };
            /** @description Delete a zone and its subzones */
            deleteZone: {
                id: string;
                answer: components["schemas"]["Deleted"];
            };
            /** @description All product groups, in the order in which an item is matched */
            listGroups: {
                query: {
                    /**
                     * @description The live configuration or the changeset, which is the default while one is active. Accepts live or staged
                     * @enum {unknown}
                     */
                    view?: "live" | "staged";
                };
                answer: {
                    groups: components["schemas"]["GroupRecord"][];
                };
            };
            /** @description One product group */
            getGroup: {
                id: string;
                query: {
                    /**
                     * @description The live configuration or the changeset, which is the default while one is active. Accepts live or staged
                     * @enum {unknown}
                     */
                    view?: "live" | "staged";
                };
                answer: {
                    group: components["schemas"]["GroupRecord"];
                };
            };
            /** @description Create a product group */
            createGroup: {
                body: components["schemas"]["GroupCreate"];
                answer: {
                    group: components["schemas"]["GroupRecord"];
                };
            };
            /** @description Change a product group */
            updateGroup: {
                id: string;
                body: components["schemas"]["GroupUpdate"];
                answer: {
                    group: components["schemas"]["GroupRecord"];
                };
            };
            /** @description Delete a product group */
            deleteGroup: {
                id: string;
                answer: components["schemas"]["Deleted"];
            };
            /** @description Methods in position order, without their rules */
            listMethods: {
                query: {
                    /**
                     * @description Only methods bound to this zone or subzone. Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
                     * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
                     */
                    zoneId?: string;
                    /**
                     * @description Only methods of this product group. Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
                     * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
                     */
                    productGroupId?: string;
                    /**
                     * @description The live configuration or the changeset, which is the default while one is active. Accepts live or staged
                     * @enum {unknown}
                     */
                    view?: "live" | "staged";
                };
                answer: {
                    methods: components["schemas"]["MethodRecord"][];
                };
            };
            /** @description One method with its rate configuration and its rules */
            getMethod: {
                id: string;
                query: {
                    /**
                     * @description The live configuration or the changeset, which is the default while one is active. Accepts live or staged
                     * @enum {unknown}
                     */
                    view?: "live" | "staged";
                };
                answer: {
                    method: components["schemas"]["MethodWithRules"];
                };
            };
            /** @description Create a method */
            createMethod: {
                body: components["schemas"]["MethodCreate"];
                answer: {
                    method: components["schemas"]["MethodWithRules"];
                };
            };
            /** @description Change a method */
            updateMethod: {
                id: string;
                body: components["schemas"]["MethodUpdate"];
                answer: {
                    method: components["schemas"]["MethodWithRules"];
                };
            };
            /** @description Delete a method and its rules */
            deleteMethod: {
                id: string;
                answer: components["schemas"]["Deleted"];
            };
            /** @description The rules of one method, or of all methods in their order */
            listRules: {
                query: {
                    /**
                     * @description Only rules of this method. Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
                     * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
                     */
                    methodId?: string;
                    /**
                     * @description The live configuration or the changeset, which is the default while one is active. Accepts live or staged
                     * @enum {unknown}
                     */
                    view?: "live" | "staged";
                };
                answer: {
                    rules: components["schemas"]["RuleRecord"][];
                };
            };
            /** @description One rule */
            getRule: {
                id: string;
                query: {
                    /**
                     * @description The live configuration or the changeset, which is the default while one is active. Accepts live or staged
                     * @enum {unknown}
                     */
                    view?: "live" | "staged";
                };
                answer: {
                    rule: components["schemas"]["RuleRecord"];
                };
            };
            /** @description Create a rule of a method */
            createRule: {
                body: components["schemas"]["RuleCreate"];
                query: {
                    /**
                     * @description The method, when the body does not name it. Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
                     * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
                     */
                    methodId?: string;
                };
                answer: {
                    rule: components["schemas"]["RuleRecord"];
                };
            };
            /** @description Change a rule */
            updateRule: {
                id: string;
                body: components["schemas"]["RuleUpdate"];
                answer: {
                    rule: components["schemas"]["RuleRecord"];
                };
            };
            /** @description Delete a rule */
            deleteRule: {
                id: string;
                answer: components["schemas"]["Deleted"];
            };
            /** @description All blended rates in position order */
            listBlendedRates: {
                query: {
                    /**
                     * @description The live configuration or the changeset, which is the default while one is active. Accepts live or staged
                     * @enum {unknown}
                     */
                    view?: "live" | "staged";
                };
                answer: {
                    blendedRates: components["schemas"]["BlendedRateRecord"][];
                };
            };
            /** @description One blended rate */
            getBlendedRate: {
                id: string;
                query: {
                    /**
                     * @description The live configuration or the changeset, which is the default while one is active. Accepts live or staged
                     * @enum {unknown}
                     */
                    view?: "live" | "staged";
                };
                answer: {
                    blendedRate: components["schemas"]["BlendedRateRecord"];
                };
            };
            /** @description Create a blended rate */
            createBlendedRate: {
                body: components["schemas"]["BlendedCreate"];
                answer: {
                    blendedRate: components["schemas"]["BlendedRateRecord"];
                };
            };
            /** @description Change a blended rate */
            updateBlendedRate: {
                id: string;
                body: components["schemas"]["BlendedUpdate"];
                answer: {
                    blendedRate: components["schemas"]["BlendedRateRecord"];
                };
            };
            /** @description Delete a blended rate */
            deleteBlendedRate: {
                id: string;
                answer: components["schemas"]["Deleted"];
            };
            /** @description All checks in position order */
            listChecks: {
                query: {
                    /**
                     * @description The live configuration or the changeset, which is the default while one is active. Accepts live or staged
                     * @enum {unknown}
                     */
                    view?: "live" | "staged";
                };
                answer: {
                    checks: components["schemas"]["CheckRecord"][];
                };
            };
            /** @description One check */
            getCheck: {
                id: string;
                query: {
                    /**
                     * @description The live configuration or the changeset, which is the default while one is active. Accepts live or staged
                     * @enum {unknown}
                     */
                    view?: "live" | "staged";
                };
                answer: {
                    check: components["schemas"]["CheckRecord"];
                };
            };
            /** @description Create a check, or run checks */
            createOrRunChecks: {
                body: components["schemas"]["CheckAction"];
                answer: {
                    check: components["schemas"]["CheckRecord"];
                } | components["schemas"]["CheckResults"];
            };
            /** @description Change a check */
            updateCheck: {
                id: string;
                body: components["schemas"]["CheckUpdate"];
                answer: {
                    check: components["schemas"]["CheckRecord"];
                };
            };
            /** @description Delete a check */
            deleteCheck: {
                id: string;
                answer: components["schemas"]["Deleted"];
            };
            /** @description How often live simulations used each record of the live configuration */
            getCoverage: {
                answer: components["schemas"]["Coverage"];
            };
            /** @description The rates of a cart while its total, its weight or a quantity varies */
            sweep: {
                body: components["schemas"]["Sweep"];
                query: {
                    /**
                     * @description The live configuration (default) or the changeset. Accepts live or staged
                     * @enum {unknown}
                     */
                    view?: "live" | "staged";
                    /**
                     * @description The configuration of this version. Accepts an id of a version, its number in decimal as text, or live
                     * @example version_01JD3V8RZK6Q9W5T7X2Y4B8N0G
                     */
                    version?: string;
                };
                answer: components["schemas"]["PriceCurve"];
            };
            /** @description The whole configuration, exactly as preview and execute accept it */
            getConfig: {
                query: {
                    /**
                     * @description The live configuration or the changeset, which is the default while one is active. Accepts live or staged
                     * @enum {unknown}
                     */
                    view?: "live" | "staged";
                };
                answer: components["schemas"]["ConfigSnapshot"];
            };
            /** @description What is wrong or doubtful in the configuration */
            lintConfig: {
                query: {
                    /**
                     * @description The live configuration or the changeset, which is the default while one is active. Accepts live or staged
                     * @enum {unknown}
                     */
                    view?: "live" | "staged";
                };
                answer: components["schemas"]["LintReport"];
            };
            /** @description Preview or execute a replacement of the configuration */
            replaceConfig: {
                body: components["schemas"]["ConfigAction"];
                answer: components["schemas"]["ExecuteAnswer"] | components["schemas"]["PreviewAnswer"];
            };
            /** @description Versions, newest first */
            listVersions: {
                query: {
                    /** @description Rows of the page (20) */
                    limit?: number;
                    /**
                     * @description A version: the page continues with older ones. Accepts an id of a version, its number in decimal as text, or live
                     * @example version_01JD3V8RZK6Q9W5T7X2Y4B8N0G
                     */
                    cursor?: string;
                    /** @description List every version of a batch as a row (false) */
                    includeBatched?: boolean;
                };
                answer: {
                    versions: components["schemas"]["VersionRow"][];
                    /** @description The cursor of the next page; null on the last */
                    nextCursor: string | null;
                };
            };
            /** @description One version, what it changed, and the configuration as it was */
            getVersion: {
                id: string;
                answer: {
                    version: components["schemas"]["VersionDetail"];
                };
            };
            /** @description Compare two versions, roll back to one, or find those that changed a price */
            changeVersion: {
                body: components["schemas"]["VersionAction"];
                answer: components["schemas"]["RollbackAnswer"] | components["schemas"]["Comparison"] | components["schemas"]["BisectAnswer"];
            };
            /** @description The active changeset, or null */
            getStaging: {
                answer: {
                    staging: components["schemas"]["ShadowedStaging"] | null;
                };
            };
            /** @description Whether the gate of the shop lets the active changeset pass, and why not */
            getPromotionGate: {
                answer: components["schemas"]["GateReport"];
            };
            /** @description Enter, promote or discard a changeset, or replay simulations against it */
            changeStaging: {
                body: components["schemas"]["StagingAction"];
                answer: {
                    staging: components["schemas"]["ShadowedStaging"] | null;
                } | components["schemas"]["PromoteAnswer"];
            };
            /** @description Rates for a destination and a cart, with the trace of every rule */
            simulate: {
                body: components["schemas"]["SimulateRequest"];
                query: {
                    /** @description The clock of time conditions; now when absent. Accepts an ISO 8601 time with an offset, such as 2026-11-18T17:00:00Z (write + as %2B) */
                    at?: string;
                    /**
                     * @description The live configuration (default) or the changeset. Accepts live or staged
                     * @enum {unknown}
                     */
                    view?: "live" | "staged";
                    /**
                     * @description The configuration of this version. Accepts an id of a version, its number in decimal as text, or live
                     * @example version_01JD3V8RZK6Q9W5T7X2Y4B8N0G
                     */
                    version?: string;
                    /**
                     * @description Adds the steps of each price, the values that each condition compared, the smallest change of the request that would reverse each refusal, and the methods that were not considered. Slower than the plain answer. Accepts full
                     * @enum {unknown}
                     */
                    explain?: "full";
                    /**
                     * @description Answers the rates alone, which is faster; not together with explain. Accepts rates
                     * @enum {unknown}
                     */
                    fields?: "rates";
                    /** @description Refuse an unknown field instead of ignoring it (false) */
                    strict?: boolean;
                };
                answer: components["schemas"]["SimulateAnswer"] | components["schemas"]["ExplainedAnswer"] | components["schemas"]["RatesAnswer"];
            };
            /** @description Rates for up to 100 carts from one version */
            simulateBatch: {
                body: components["schemas"]["SimulateBatch"];
                query: {
                    /** @description The clock of time conditions; now when absent. Accepts an ISO 8601 time with an offset, such as 2026-11-18T17:00:00Z (write + as %2B) */
                    at?: string;
                    /**
                     * @description The live configuration (default) or the changeset. Accepts live or staged
                     * @enum {unknown}
                     */
                    view?: "live" | "staged";
                    /**
                     * @description The configuration of this version. Accepts an id of a version, its number in decimal as text, or live
                     * @example version_01JD3V8RZK6Q9W5T7X2Y4B8N0G
                     */
                    version?: string;
                    /**
                     * @description Adds the steps of each price, the values that each condition compared, the smallest change of the request that would reverse each refusal, and the methods that were not considered. Slower than the plain answer. Accepts full
                     * @enum {unknown}
                     */
                    explain?: "full";
                    /**
                     * @description Answers the rates alone, which is faster; not together with explain. Accepts rates
                     * @enum {unknown}
                     */
                    fields?: "rates";
                    /** @description Refuse an unknown field instead of ignoring it (false) */
                    strict?: boolean;
                };
                answer: components["schemas"]["SimulateBatchAnswer"];
            };
            /** @description Condition types, operators, scopes, rate types, actions, codes of findings and limits */
            getVocabulary: {
                answer: {
                    vocabulary: components["schemas"]["Vocabulary"];
                };
            };
            /** @description The shop of the key */
            getShop: {
                answer: {
                    shop: components["schemas"]["ShopRecord"];
                };
            };
            /** @description Change name, currency, time zone, promotion gate or fulfilment of the shop */
            updateShop: {
                body: components["schemas"]["ShopUpdate"];
                answer: {
                    shop: components["schemas"]["ShopRecord"];
                };
            };
            /** @description The keys of the shop, without their secrets */
            listKeys: {
                answer: {
                    keys: components["schemas"]["KeyRecord"][];
                };
            };
            /** @description The key of the request, without its secret */
            getCurrentKey: {
                answer: {
                    key: components["schemas"]["CurrentKey"];
                };
            };
            /** @description Create a key; its secret is in this answer only */
            createKey: {
                body: components["schemas"]["KeyCreate"];
                answer: {
                    key: components["schemas"]["KeyRecord"];
                    /** @description The key itself. It is shown this once and cannot be read again */
                    secret: string;
                };
            };
            /** @description Revoke a key at once */
            revokeKey: {
                id: string;
                answer: components["schemas"]["Deleted"];
            };
            /** @description The pages of this service */
            getIndex: {
                answer: {
                    /** @constant */
                    service: "Ratewright";
                    /** @description The description of the interface, to read and try */
                    docs?: string;
                    /** @description The console */
                    console?: string;
                    /** @description The description of the interface as an OpenAPI document */
                    openapi?: string;
                };
            };
            /** @description Whether the process is up */
            getHealth: {
                answer: {
                    /** @enum {unknown} */
                    status: "ok";
                };
            };
            /** @description Whether requests should be sent here */
            getReadiness: {
                answer: {
                    /** @enum {unknown} */
                    status: "ready" | "starting" | "outdated" | "failed" | "draining";
                };
            };
            /** @description Counters, gauges and histograms in the Prometheus text format */
            getMetrics: {
                answer: string;
            };
            /** @description This description of the interface */
            getOpenApi: {
                answer: {
                    openapi: string;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        CartItem: {
            /** @description Accepts a string or null */
            name?: string | null;
            /** @description Accepts a string, a whole number of at most 2^53-1, or null */
            sku?: string | number | null;
            /** @description Accepts a whole number from 1 to 1,000,000 (pieces) */
            quantity: number;
            /** @description Accepts a whole number from 0 to 1,000,000,000 (grams of one piece) */
            grams: number;
            /** @description Accepts a whole number from 0 to 1,000,000,000 (cents of one piece) */
            price: number;
            /** @description Accepts a string or null */
            vendor?: string | null;
            /** @description Accepts a string, a whole number of at most 2^53-1, or null */
            productId?: string | number | null;
            /** @description Accepts a string, a whole number of at most 2^53-1, or null */
            variantId?: string | number | null;
            properties?: {
                /** @description Accepts comma-separated tags */
                tag?: string | null;
            } | null;
            /** @description Accepts true, false or null */
            requiresShipping?: boolean | null;
            /** @description Accepts a whole number from 0 to 100,000 (millimetres) or null */
            length?: number | null;
            /** @description Accepts a whole number from 0 to 100,000 (millimetres) or null */
            width?: number | null;
            /** @description Accepts a whole number from 0 to 100,000 (millimetres) or null */
            height?: number | null;
        };
        ChangeCounts: {
            added: number;
            modified: number;
            removed: number;
        };
        Check: {
            /**
             * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
             * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
             */
            id: string;
            /** @description Accepts text of 1 to 200 characters without control characters */
            name: string;
            request: {
                destination: components["schemas"]["CheckDestination"];
                items: components["schemas"]["CheckItem"][];
                /** @description Accepts a currency code of 3 letters */
                currency?: string | null;
                /** @description Accepts a string or null */
                locale?: string | null;
                customer?: components["schemas"]["CheckCustomer"] | null;
                orderTotals?: components["schemas"]["CheckOrderTotals"] | null;
            };
            /** @description Accepts an ISO 8601 time with an offset, such as 2026-11-18T17:00:00Z, or null */
            at: string | null;
            expectations: components["schemas"]["Expectation"][];
            enabled: boolean;
        };
        CheckAction: components["schemas"]["CheckCreate"] | components["schemas"]["RunChecks"];
        CheckCreate: {
            /** @description Accepts text of 1 to 200 characters without control characters */
            name: string;
            request: components["schemas"]["CheckRequest"];
            /** @description Accepts an ISO 8601 time with an offset, such as 2026-11-18T17:00:00Z, or null */
            at?: string | null;
            expectations: components["schemas"]["Expectation"][];
            enabled?: boolean;
            /** @description Accepts a 0-based position of at most 1,000,000 */
            position?: number;
            /** @description Read-only, ignored: an id does not change */
            id?: unknown;
        };
        CheckCustomer: {
            /** @description Accepts a string, a whole number of at most 2^53-1, or null */
            id?: string | number | null;
            /** @description Accepts comma-separated tags, an array of strings, or null */
            tags?: string | string[] | null;
        };
        CheckData: {
            /**
             * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
             * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
             */
            id?: string;
            /** @description Accepts text of 1 to 200 characters without control characters */
            name: string;
            request: components["schemas"]["CheckRequest"];
            /** @description Accepts an ISO 8601 time with an offset, such as 2026-11-18T17:00:00Z, or null */
            at?: string | null;
            expectations: components["schemas"]["Expectation"][];
            enabled?: boolean;
            /** @description Read-only, ignored: the place in the array is the position */
            position?: unknown;
        };
        CheckDestination: {
            /**
             * @description Accepts an ISO 3166-1 alpha-2 country code
             * @example US
             */
            country: string;
            /** @description Accepts a string or null */
            province?: string | null;
            /** @description Accepts a string or null */
            city?: string | null;
            /** @description Accepts a string or null */
            postalCode?: string | null;
            /** @description Accepts a string or null */
            name?: string | null;
            /** @description Accepts a string or null */
            address1?: string | null;
            /** @description Accepts a string or null */
            address2?: string | null;
            /** @description Accepts a string or null */
            address3?: string | null;
            /** @description Accepts a string or null */
            phone?: string | null;
            /** @description Accepts a string or null */
            company?: string | null;
        };
        CheckItem: {
            /** @description Accepts a string or null */
            name?: string | null;
            /** @description Accepts a string, a whole number of at most 2^53-1, or null */
            sku?: string | number | null;
            /** @description Accepts a whole number from 1 to 1,000,000 (pieces) */
            quantity: number;
            /** @description Accepts a whole number from 0 to 1,000,000,000 (grams of one piece) */
            grams: number;
            /** @description Accepts a whole number from 0 to 1,000,000,000 (cents of one piece) */
            price: number;
            /** @description Accepts a string or null */
            vendor?: string | null;
            /** @description Accepts a string, a whole number of at most 2^53-1, or null */
            productId?: string | number | null;
            /** @description Accepts a string, a whole number of at most 2^53-1, or null */
            variantId?: string | number | null;
            properties?: {
                /** @description Accepts comma-separated tags */
                tag?: string | null;
            } | null;
            /** @description Accepts true, false or null */
            requiresShipping?: boolean | null;
            /** @description Accepts a whole number from 0 to 100,000 (millimetres) or null */
            length?: number | null;
            /** @description Accepts a whole number from 0 to 100,000 (millimetres) or null */
            width?: number | null;
            /** @description Accepts a whole number from 0 to 100,000 (millimetres) or null */
            height?: number | null;
        };
        CheckOrderTotals: {
            /** @description Accepts a whole number from 0 to 1,000,000,000,000 (cents) or null */
            subtotalPrice?: number | null;
            /** @description Accepts a whole number from 0 to 1,000,000,000,000 (cents) or null */
            totalPrice?: number | null;
            /** @description Accepts a whole number from 0 to 1,000,000,000,000 (cents) or null */
            discountAmount?: number | null;
        };
        CheckRecord: {
            /**
             * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
             * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
             */
            id: string;
            /** @description Accepts text of 1 to 200 characters without control characters */
            name: string;
            request: {
                destination: components["schemas"]["CheckDestination"];
                items: components["schemas"]["CheckItem"][];
                /** @description Accepts a currency code of 3 letters */
                currency?: string | null;
                /** @description Accepts a string or null */
                locale?: string | null;
                customer?: components["schemas"]["CheckCustomer"] | null;
                orderTotals?: components["schemas"]["CheckOrderTotals"] | null;
            };
            /** @description Accepts an ISO 8601 time with an offset, such as 2026-11-18T17:00:00Z, or null */
            at: string | null;
            expectations: components["schemas"]["Expectation"][];
            enabled: boolean;
            /** @description Accepts a 0-based position of at most 1,000,000 */
            position: number;
        };
        CheckRequest: {
            destination: components["schemas"]["CheckDestination"];
            /** @description Accepts an array of 1 to 1,000 items */
            items: components["schemas"]["CheckItem"][];
            /** @description Accepts a currency code of 3 letters */
            currency?: string | null;
            /** @description Accepts a string or null */
            locale?: string | null;
            customer?: components["schemas"]["CheckCustomer"] | null;
            orderTotals?: components["schemas"]["CheckOrderTotals"] | null;
        };
        CheckResult: {
            /** @description null in a preview, where execute will make the id */
            checkId: string | null;
            /** @description Accepts text of 1 to 200 characters without control characters */
            name: string;
            passed: boolean;
            failures: {
                expectation: components["schemas"]["Expectation"];
                /** @description All rates that are offered */
                actual: components["schemas"]["ExpectedRate"][];
                /** @description One sentence; names the rule that hides the method, where one does */
                reason: string;
            }[];
        };
        CheckResults: {
            /** @description The version that was asked; null for a configuration that is no version yet */
            versionId: string | null;
            passed: number;
            failed: number;
            results: components["schemas"]["CheckResult"][];
        };
        CheckUpdate: {
            /** @description Accepts text of 1 to 200 characters without control characters */
            name?: string;
            request?: components["schemas"]["CheckRequest"];
            /** @description Accepts an ISO 8601 time with an offset, such as 2026-11-18T17:00:00Z, or null */
            at?: string | null;
            expectations?: components["schemas"]["Expectation"][];
            enabled?: boolean;
            /** @description Accepts a 0-based position of at most 1,000,000 */
            position?: number;
            /**
             * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
             * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
             */
            id?: string;
        };
        CompareEntry: {
            /** @enum {unknown} */
            kind: "zone" | "subzone" | "productGroup" | "method" | "rule" | "blendedRate" | "check";
            id: string | null;
            name: string;
            parentId?: string | null;
        };
        CompareVersions: {
            /** @constant */
            action: "compare";
            /**
             * @description Accepts an id of a version, its number in decimal as text, live, or staged while a changeset is active
             * @example version_01JD3V8RZK6Q9W5T7X2Y4B8N0G
             */
            versionA: string;
            /**
             * @description Accepts an id of a version, its number in decimal as text, live, or staged while a changeset is active
             * @example version_01JD3V8RZK6Q9W5T7X2Y4B8N0G
             */
            versionB: string;
        };
        Comparison: {
            added: components["schemas"]["CompareEntry"][];
            modified: components["schemas"]["ModifiedEntry"][];
            removed: components["schemas"]["CompareEntry"][];
        };
        Condition: {
            /**
             * @description Accepts one of product_tag, product_sku, product_vendor, product_title, product_id, product_variant_id, product_group, product_weight, product_price, product_quantity, product_longest_side, product_girth, cart_total, cart_weight, cart_quantity, cart_unique_items, order_total, cart_currency, cart_locale, customer_tag, customer_id, destination_country, destination_state, destination_city, destination_name, destination_company, destination_phone, destination_address, destination_postal_code, destination_subzone, day_of_week, time_of_day, date
             * @enum {unknown}
             */
            conditionType: "product_tag" | "product_sku" | "product_vendor" | "product_title" | "product_id" | "product_variant_id" | "product_group" | "product_weight" | "product_price" | "product_quantity" | "product_longest_side" | "product_girth" | "cart_total" | "cart_weight" | "cart_quantity" | "cart_unique_items" | "order_total" | "cart_currency" | "cart_locale" | "customer_tag" | "customer_id" | "destination_country" | "destination_state" | "destination_city" | "destination_name" | "destination_company" | "destination_phone" | "destination_address" | "destination_postal_code" | "destination_subzone" | "day_of_week" | "time_of_day" | "date";
            /**
             * @description Accepts one of equals, not_equals, contains, not_contains, starts_with, not_starts_with, ends_with, not_ends_with, is_empty, is_not_empty, greater_than, greater_than_or_equal, less_than, less_than_or_equal, between
             * @enum {unknown}
             */
            operator: "equals" | "not_equals" | "contains" | "not_contains" | "starts_with" | "not_starts_with" | "ends_with" | "not_ends_with" | "is_empty" | "is_not_empty" | "greater_than" | "greater_than_or_equal" | "less_than" | "less_than_or_equal" | "between";
            /** @description Accepts text of 0 to 10,000 characters without control characters */
            value: string;
            /**
             * @description Accepts one of any_product_in_order, all_products_in_order, no_product_in_order, any_product_in_group, all_products_in_group, no_product_in_group, sum_of_order, sum_of_group
             * @enum {unknown}
             */
            scope: "any_product_in_order" | "all_products_in_order" | "no_product_in_order" | "any_product_in_group" | "all_products_in_group" | "no_product_in_group" | "sum_of_order" | "sum_of_group";
        };
        ConditionInput: {
            /**
             * @description Accepts one of product_tag, product_sku, product_vendor, product_title, product_id, product_variant_id, product_group, product_weight, product_price, product_quantity, product_longest_side, product_girth, cart_total, cart_weight, cart_quantity, cart_unique_items, order_total, cart_currency, cart_locale, customer_tag, customer_id, destination_country, destination_state, destination_city, destination_name, destination_company, destination_phone, destination_address, destination_postal_code, destination_subzone, day_of_week, time_of_day, date
             * @enum {unknown}
             */
            conditionType: "product_tag" | "product_sku" | "product_vendor" | "product_title" | "product_id" | "product_variant_id" | "product_group" | "product_weight" | "product_price" | "product_quantity" | "product_longest_side" | "product_girth" | "cart_total" | "cart_weight" | "cart_quantity" | "cart_unique_items" | "order_total" | "cart_currency" | "cart_locale" | "customer_tag" | "customer_id" | "destination_country" | "destination_state" | "destination_city" | "destination_name" | "destination_company" | "destination_phone" | "destination_address" | "destination_postal_code" | "destination_subzone" | "day_of_week" | "time_of_day" | "date";
            /**
             * @description Accepts one of equals, not_equals, contains, not_contains, starts_with, not_starts_with, ends_with, not_ends_with, is_empty, is_not_empty, greater_than, greater_than_or_equal, less_than, less_than_or_equal, between
             * @enum {unknown}
             */
            operator: "equals" | "not_equals" | "contains" | "not_contains" | "starts_with" | "not_starts_with" | "ends_with" | "not_ends_with" | "is_empty" | "is_not_empty" | "greater_than" | "greater_than_or_equal" | "less_than" | "less_than_or_equal" | "between";
            /** @description Accepts text of 0 to 10,000 characters without control characters, or a number */
            value?: string | number;
            /**
             * @description Accepts one of any_product_in_order, all_products_in_order, no_product_in_order, any_product_in_group, all_products_in_group, no_product_in_group, sum_of_order, sum_of_group
             * @enum {unknown}
             */
            scope?: "any_product_in_order" | "all_products_in_order" | "no_product_in_order" | "any_product_in_group" | "all_products_in_group" | "no_product_in_group" | "sum_of_order" | "sum_of_group";
        };
        ConditionTrace: {
            /**
             * @description Accepts one of product_tag, product_sku, product_vendor, product_title, product_id, product_variant_id, product_group, product_weight, product_price, product_quantity, product_longest_side, product_girth, cart_total, cart_weight, cart_quantity, cart_unique_items, order_total, cart_currency, cart_locale, customer_tag, customer_id, destination_country, destination_state, destination_city, destination_name, destination_company, destination_phone, destination_address, destination_postal_code, destination_subzone, day_of_week, time_of_day, date
             * @enum {unknown}
             */
            conditionType: "product_tag" | "product_sku" | "product_vendor" | "product_title" | "product_id" | "product_variant_id" | "product_group" | "product_weight" | "product_price" | "product_quantity" | "product_longest_side" | "product_girth" | "cart_total" | "cart_weight" | "cart_quantity" | "cart_unique_items" | "order_total" | "cart_currency" | "cart_locale" | "customer_tag" | "customer_id" | "destination_country" | "destination_state" | "destination_city" | "destination_name" | "destination_company" | "destination_phone" | "destination_address" | "destination_postal_code" | "destination_subzone" | "day_of_week" | "time_of_day" | "date";
            /**
             * @description Accepts one of equals, not_equals, contains, not_contains, starts_with, not_starts_with, ends_with, not_ends_with, is_empty, is_not_empty, greater_than, greater_than_or_equal, less_than, less_than_or_equal, between
             * @enum {unknown}
             */
            operator: "equals" | "not_equals" | "contains" | "not_contains" | "starts_with" | "not_starts_with" | "ends_with" | "not_ends_with" | "is_empty" | "is_not_empty" | "greater_than" | "greater_than_or_equal" | "less_than" | "less_than_or_equal" | "between";
            /** @description Accepts text of 0 to 10,000 characters without control characters */
            value: string;
            /**
             * @description Accepts one of any_product_in_order, all_products_in_order, no_product_in_order, any_product_in_group, all_products_in_group, no_product_in_group, sum_of_order, sum_of_group
             * @enum {unknown}
             */
            scope: "any_product_in_order" | "all_products_in_order" | "no_product_in_order" | "any_product_in_group" | "all_products_in_group" | "no_product_in_group" | "sum_of_order" | "sum_of_group";
            matched: boolean;
        };
        ConditionTypeWord: {
            name: string;
            /** @description The part of the request that the condition reads */
            subject: string;
            /** @description How its values are compared */
            kind: string;
            description: string;
            operators: string[];
            /** @description Empty: any scope is accepted and ignored */
            scopes: string[];
        };
        ConfigAction: {
            /**
             * @description Accepts preview or execute
             * @enum {unknown}
             */
            action: "preview" | "execute";
            data: components["schemas"]["ConfigData"];
            request?: components["schemas"]["SimulateRequest"];
            /** @description Accepts an ISO 8601 time with an offset, such as 2026-11-18T17:00:00Z */
            at?: string;
        };
        ConfigData: {
            /** @description Read-only, ignored: it names the version that was read */
            versionId?: unknown;
            productGroups?: components["schemas"]["ProductGroupData"][];
            zones?: components["schemas"]["ZoneData"][];
            methods?: components["schemas"]["MethodData"][];
            blendedRates?: components["schemas"]["BlendedRateData"][];
            checks?: components["schemas"]["CheckData"][];
        };
        ConfigSnapshot: {
            /**
             * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
             * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
             */
            versionId: string;
            productGroups: components["schemas"]["ProductGroup"][];
            zones: components["schemas"]["Zone"][];
            methods: components["schemas"]["MethodInSnapshot"][];
            blendedRates: components["schemas"]["BlendedRate"][];
            checks: components["schemas"]["Check"][];
        };
        Coverage: {
            /**
             * Format: date-time
             * @description Simulations are counted from here on
             */
            since: string;
            /** @description Live simulations */
            simulations: number;
            zones: {
                /**
                 * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
                 * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
                 */
                zoneId: string;
                /** @description null = the zone outside its subzones */
                subzoneId: string | null;
                /** @description Simulations with a destination in it */
                count: number;
            }[];
            methods: {
                /**
                 * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
                 * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
                 */
                methodId: string;
                /** @description Simulations in which the method was considered */
                considered: number;
                /** @description ... in which it was visible */
                visible: number;
                /** @description ... in which its rate was answered, alone or as a part of a blended rate */
                offered: number;
                /** @description To the second; null = never */
                lastOfferedAt: string | null;
            }[];
            rules: {
                /**
                 * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
                 * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
                 */
                ruleId: string;
                /** @description Simulations in which the rule was evaluated */
                evaluated: number;
                /** @description ... in which it matched */
                matched: number;
                /** @description To the second; null = never */
                lastMatchedAt: string | null;
            }[];
            tiers: {
                /**
                 * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
                 * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
                 */
                methodId: string;
                /** @description Of the tier in the rate table */
                index: number;
                /** @description Simulations whose total was in the tier */
                count: number;
            }[];
            groups: {
                /**
                 * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
                 * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
                 */
                productGroupId: string;
                /** @description Simulations with a shippable item of the group */
                count: number;
            }[];
        };
        CurrentKey: {
            /**
             * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
             * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
             */
            id: string;
            /** @description Accepts text of 1 to 200 characters without control characters */
            label: string;
            /**
             * @description Accepts one of read, write, admin
             * @enum {unknown}
             */
            permission: "read" | "write" | "admin";
            prefix: string;
            createdAt: string;
        };
        CurveSegment: {
            /** @description First value of the segment. Accepts a whole number, 0 to 9,007,199,254,740,991 */
            from: number;
            /** @description Last value of the segment. Accepts a whole number, 0 to 9,007,199,254,740,991 */
            to: number;
            /** @description In the order of a simulation */
            rates: {
                serviceCode: string;
                serviceName: string;
                /** @description Accepts whole cents, 0 to 9,007,199,254,740,991 */
                totalPrice: number;
            }[];
        };
        Customer: {
            /** @description Accepts a string, a whole number of at most 2^53-1, or null */
            id?: string | number | null;
            /** @description Accepts comma-separated tags, an array of strings, or null */
            tags?: string | string[] | null;
        };
        Deleted: {
            /** @constant */
            deleted: true;
            /**
             * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
             * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
             */
            id: string;
        };
        Delivery: {
            /** @description Accepts whole working days, 0 to 365 */
            minDays: number;
            /** @description Accepts whole working days, 0 to 365 */
            maxDays: number;
        };
        DeliveryExpectation: {
            /** @constant */
            kind: "delivery";
            /** @description Accepts text of 1 to 100 characters without control characters */
            serviceCode: string;
            /** @description Accepts a date as YYYY-MM-DD, or days after the day of the check as +5 */
            minDate?: string;
            /** @description Accepts a date as YYYY-MM-DD, or days after the day of the check as +5 */
            maxDate?: string;
        };
        Destination: {
            /**
             * @description Accepts an ISO 3166-1 alpha-2 country code
             * @example US
             */
            country: string;
            /** @description Accepts a string or null */
            province?: string | null;
            /** @description Accepts a string or null */
            city?: string | null;
            /** @description Accepts a string or null */
            postalCode?: string | null;
            /** @description Accepts a string or null */
            name?: string | null;
            /** @description Accepts a string or null */
            address1?: string | null;
            /** @description Accepts a string or null */
            address2?: string | null;
            /** @description Accepts a string or null */
            address3?: string | null;
            /** @description Accepts a string or null */
            phone?: string | null;
            /** @description Accepts a string or null */
            company?: string | null;
        };
        Error: {
            error: {
                /** @enum {unknown} */
                code: "VALIDATION_ERROR" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "CONFLICT" | "PLAN_LIMIT_EXCEEDED" | "RATE_LIMITED" | "INTERNAL_ERROR";
                /** @description One sentence; names the field by its JSON path */
                message: string;
            };
        };
        ExecuteAnswer: {
            /** @description The new version; null when the write went to a changeset, which makes none */
            version: components["schemas"]["VersionRecord"] | null;
            summary: components["schemas"]["ChangeCounts"];
        };
        Expectation: components["schemas"]["RateExpectation"] | components["schemas"]["RateBetweenExpectation"] | components["schemas"]["NoRateExpectation"] | components["schemas"]["SomeRateExpectation"] | components["schemas"]["RatesExpectation"] | components["schemas"]["DeliveryExpectation"];
        ExpectationWord: {
            kind: string;
            /** @description JSON Schema of the expectation */
            schema: {
                [key: string]: unknown;
            };
        };
        ExpectedRate: {
            /** @description Accepts text of 1 to 100 characters without control characters */
            serviceCode: string;
            /** @description Accepts whole cents, 0 to 9,007,199,254,740,991 */
            totalPrice: number;
        };
        ExplainedAnswer: {
            rates: components["schemas"]["Rate"][];
            methodEvaluations: components["schemas"]["ExplainedMethodEvaluation"][];
            blendedRates: components["schemas"]["BlendedEvaluation"][];
            zone: components["schemas"]["MatchedZone"] | null;
            /** @description Methods of the zone and its subzones that were not evaluated */
            notConsidered: components["schemas"]["NotConsidered"][];
            at: components["schemas"]["SimulatedTime"];
            /** @description JSON paths of unknown fields of the request, which were ignored */
            unread: string[];
        };
        ExplainedConditionTrace: {
            /**
             * @description Accepts one of product_tag, product_sku, product_vendor, product_title, product_id, product_variant_id, product_group, product_weight, product_price, product_quantity, product_longest_side, product_girth, cart_total, cart_weight, cart_quantity, cart_unique_items, order_total, cart_currency, cart_locale, customer_tag, customer_id, destination_country, destination_state, destination_city, destination_name, destination_company, destination_phone, destination_address, destination_postal_code, destination_subzone, day_of_week, time_of_day, date
             * @enum {unknown}
             */
            conditionType: "product_tag" | "product_sku" | "product_vendor" | "product_title" | "product_id" | "product_variant_id" | "product_group" | "product_weight" | "product_price" | "product_quantity" | "product_longest_side" | "product_girth" | "cart_total" | "cart_weight" | "cart_quantity" | "cart_unique_items" | "order_total" | "cart_currency" | "cart_locale" | "customer_tag" | "customer_id" | "destination_country" | "destination_state" | "destination_city" | "destination_name" | "destination_company" | "destination_phone" | "destination_address" | "destination_postal_code" | "destination_subzone" | "day_of_week" | "time_of_day" | "date";
            /**
             * @description Accepts one of equals, not_equals, contains, not_contains, starts_with, not_starts_with, ends_with, not_ends_with, is_empty, is_not_empty, greater_than, greater_than_or_equal, less_than, less_than_or_equal, between
             * @enum {unknown}
             */
            operator: "equals" | "not_equals" | "contains" | "not_contains" | "starts_with" | "not_starts_with" | "ends_with" | "not_ends_with" | "is_empty" | "is_not_empty" | "greater_than" | "greater_than_or_equal" | "less_than" | "less_than_or_equal" | "between";
            /** @description Accepts text of 0 to 10,000 characters without control characters */
            value: string;
            /**
             * @description Accepts one of any_product_in_order, all_products_in_order, no_product_in_order, any_product_in_group, all_products_in_group, no_product_in_group, sum_of_order, sum_of_group
             * @enum {unknown}
             */
            scope: "any_product_in_order" | "all_products_in_order" | "no_product_in_order" | "any_product_in_group" | "all_products_in_group" | "no_product_in_group" | "sum_of_order" | "sum_of_group";
            matched: boolean;
            /** @description The compared values: texts trimmed and in lower case, postal codes in their canonical form; a text of more than 1,000 characters is cut there and ends in three dots. A condition about items has one entry for each item in its scope, for tags a list; at most 20 of each */
            actual: string | number | (string | number | string[])[];
        };
        ExplainedMethodEvaluation: {
            /**
             * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
             * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
             */
            methodId: string;
            methodName: string;
            /**
             * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
             * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
             */
            productGroupId: string;
            visible: boolean;
            reason: ("hidden_by_rule" | "not_shown_by_rule" | "outside_rate_table") | null;
            rate: components["schemas"]["Rate"] | null;
            ruleTraces: components["schemas"]["ExplainedRuleTrace"][];
            /** @description The steps of the price; for a method that is not visible, of the price that it would have. Empty outside the rate table */
            steps: ({
                /** @constant */
                kind: "base";
                /** @description Accepts whole cents, 0 to 9,007,199,254,740,991 */
                before: number;
                /** @description Accepts whole cents, 0 to 9,007,199,254,740,991 */
                after: number;
                /** @enum {unknown} */
                rateType: "flat" | "free" | "by_weight_table" | "by_price_table" | "by_items_table" | "by_items" | "by_weight" | "by_dimensional_weight" | "percentage";
                tier?: {
                    index: number;
                    /** @description Included; grams, cents or pieces as the rate type has it */
                    from: number;
                    /** @description Excluded; null = open */
                    to: number | null;
                    /** @description The total of the method's group that the tier holds */
                    total: number;
                };
                clamped?: {
                    /**
                     * @description The bound of the percentage that the price was set to
                     * @enum {unknown}
                     */
                    bound: "minPrice" | "maxPrice";
                    /** @description Cents before; null beyond 2^53-1 */
                    unclamped: number | null;
                };
                /** @description null when the change is older than the history that is kept */
                lastChanged: components["schemas"]["LastChanged"] | null;
            } | {
                /** @constant */
                kind: "threshold";
                /** @description Accepts whole cents, 0 to 9,007,199,254,740,991 */
                before: number;
                /** @description Accepts whole cents, 0 to 9,007,199,254,740,991 */
                after: number;
                /** @description Accepts whole cents, 0 to 9,007,199,254,740,991 */
                freeShippingThreshold: number;
                /** @description Accepts whole cents, 0 to 9,007,199,254,740,991 */
                cartTotal: number;
                /** @description Total of the order after discounts, if the threshold is compared with it */
                orderTotal?: number;
                /** @description null when the change is older than the history that is kept */
                lastChanged: components["schemas"]["LastChanged"] | null;
            } | {
                /** @constant */
                kind: "rule";
                /** @description Accepts whole cents, 0 to 9,007,199,254,740,991 */
                before: number;
                /** @description Accepts whole cents, 0 to 9,007,199,254,740,991 */
                after: number;
                /**
                 * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
                 * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
                 */
                ruleId: string;
                /** @enum {unknown} */
                action: "hide" | "show" | "free" | "adjust_add" | "adjust_subtract";
                clamped?: {
                    /**
                     * @description A price is never below zero
                     * @enum {unknown}
                     */
                    bound: "zero";
                    /** @description Cents before; null beyond 2^53-1 */
                    unclamped: number | null;
                };
                /** @description null when the change is older than the history that is kept */
                lastChanged: components["schemas"]["LastChanged"] | null;
            })[];
            /** @description For a visible method with a delivery time: the steps of its dates. Both deliveries begin on the day on which the parcel leaves */
            deliverySteps?: ({
                /** @constant */
                kind: "cutoff";
                /** @description YYYY-MM-DD in the shop's time zone */
                from: string;
                /** @description YYYY-MM-DD in the shop's time zone */
                to: string;
                /** @description HH:MM; the order came at or after it */
                cutoff: string;
            } | {
                /** @enum {unknown} */
                kind: "first_working_day" | "handling" | "earliest_delivery" | "latest_delivery";
                /** @description YYYY-MM-DD in the shop's time zone */
                from: string;
                /** @description YYYY-MM-DD in the shop's time zone */
                to: string;
                /** @description Working days that the step takes */
                workingDays: number;
                /** @description Skipped days that are no working days of the week */
                weekend: number;
                /** @description Skipped holidays that would have been working days */
                holiday: number;
            })[];
            /** @description The smallest single change to the request after which the method is visible, or the rule of a visible method matches; null when no single change does. Kinds in the order of preference: cart_total, order_total, cart_weight, quantity, tag_added, tag_removed, item_dropped, state, postal_code; within a kind the least `by`, then up before down, then the first item */
            whyNot?: components["schemas"]["WhyNot"] | null;
            /**
             * @description The search reached a limit: null proves nothing, and there may be a smaller change
             * @constant
             */
            whyNotLimited?: true;
        };
        ExplainedRuleTrace: {
            /**
             * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
             * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
             */
            ruleId: string;
            /** @enum {unknown} */
            action: "hide" | "show" | "free" | "adjust_add" | "adjust_subtract";
            matched: boolean;
            conditions: components["schemas"]["ExplainedConditionTrace"][];
            matchedItems?: components["schemas"]["MatchedItem"][];
            /** @description Accepts text of 0 to 200 characters without control characters */
            name: string;
            /** @description The smallest single change to the request after which the method is visible, or the rule of a visible method matches; null when no single change does. Kinds in the order of preference: cart_total, order_total, cart_weight, quantity, tag_added, tag_removed, item_dropped, state, postal_code; within a kind the least `by`, then up before down, then the first item */
            whyNot?: components["schemas"]["WhyNot"] | null;
            /**
             * @description The search reached a limit: null proves nothing, and there may be a smaller change
             * @constant
             */
            whyNotLimited?: true;
        };
        Finding: {
            code: components["schemas"]["FindingCode"];
            /** @enum {unknown} */
            severity: "error" | "warning" | "info";
            record: components["schemas"]["FindingRecord"];
            /** @description One sentence */
            message: string;
            /** @description null where no request shows the defect */
            witness: components["schemas"]["Witness"] | null;
        };
        /**
         * @description `rule_never_matches`: No request to which the method applies can satisfy all conditions of the rule.
         *     `method_never_visible`: Rules or the rate table keep the method from ever being offered.
         *     `zone_never_matches`: Every country of the zone is listed by an earlier zone, or it has none.
         *     `subzone_never_matches`: No postal code can fall into the subzone.
         *     `preference_never_available`: The method that a blended rate prefers for a group can never be used by it.
         *     `blended_rate_never_available`: No cart of several groups can get the blended rate.
         *     `cart_without_rates`: Product groups have visible methods at a place, but no cart of them together gets a rate there.
         *     `delivery_without_working_days`: The method has a delivery time, but the shop has no working day, so its rates have no dates.
         *     `rule_shadowed`: Whenever the rule matches, a hide rule of the same method matches too.
         *     `tier_gap`: Totals between two tiers of a rate table have no rate.
         *     `tier_price_falls`: A tier of more weight or pieces costs less than the one before, or prices by total fall and rise again.
         *     `postal_pattern_never_wins`: Every code that the pattern matches is decided by another pattern, or no code can match it.
         *     `group_never_filled`: No item can belong to the product group.
         *     `group_without_method`: A zone that has methods for other product groups has none for this one.
         *     `subzone_without_method`: A product group has methods elsewhere in the zone, but none for this subzone.
         *     `threshold_below_prices`: The free-shipping threshold is reached before any price of the record can be charged.
         *     `likely_unit_slip`: An amount is about 100 times (money) or 1,000 times (weight) below what is usual in this shop: the wrong unit?
         *     `duplicate_service_code`: One answer can offer two rates with the same service code.
         *     `check_of_unknown_service`: A check expects or rules out a service code that no method or blended rate has.
         *     `delivery_on_some_methods`: Some methods of the zone have a delivery time and some have none.
         *     `holidays_past`: Delivery dates are made, and every holiday of the shop lies before today.
         *     `postal_pattern_redundant`: Without the pattern every code would still fall into the same subzone.
         *     `zone_remainder_without_method`: A product group has methods in subzones only: the rest of the zone has none.
         *     `zone_without_method`: Other zones have methods, this one has none in force.
         * @enum {unknown}
         */
        FindingCode: "rule_never_matches" | "method_never_visible" | "zone_never_matches" | "subzone_never_matches" | "preference_never_available" | "blended_rate_never_available" | "cart_without_rates" | "delivery_without_working_days" | "rule_shadowed" | "tier_gap" | "tier_price_falls" | "postal_pattern_never_wins" | "group_never_filled" | "group_without_method" | "subzone_without_method" | "threshold_below_prices" | "likely_unit_slip" | "duplicate_service_code" | "check_of_unknown_service" | "delivery_on_some_methods" | "holidays_past" | "postal_pattern_redundant" | "zone_remainder_without_method" | "zone_without_method";
        FindingRecord: {
            /** @enum {unknown} */
            kind: "zone" | "subzone" | "productGroup" | "method" | "rule" | "blendedRate" | "check";
            /**
             * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
             * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
             */
            id: string;
            name: string;
            /**
             * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
             * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
             */
            parentId?: string;
        };
        FindingWord: {
            code: string;
            /** @enum {unknown} */
            severity: "error" | "warning" | "info";
            meaning: string;
        };
        /** @description price */
        FlatConfig: {
            /** @description Accepts whole cents, 0 to 9,007,199,254,740,991 */
            price: number;
        };
        Flip: {
            version: components["schemas"]["VersionRecord"];
            before: {
                serviceCode: string;
                /** @description Accepts whole cents, 0 to 9,007,199,254,740,991 */
                totalPrice: number;
            }[];
            after: {
                serviceCode: string;
                /** @description Accepts whole cents, 0 to 9,007,199,254,740,991 */
                totalPrice: number;
            }[];
            diff: components["schemas"]["Comparison"];
        };
        /** @description 0 */
        FreeConfig: Record<string, never>;
        Fulfilment: {
            /** @description An order at or after this time counts as one of the next day; 00:00 for none. Accepts a time of day as HH:MM */
            cutoff: string;
            /** @description Accepts whole working days, 0 to 60 */
            handlingDays: number;
            /** @description Accepts up to 7 different days of monday, tuesday, wednesday, thursday, friday, saturday, sunday */
            workingDays: ("monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday")[];
            /** @description Accepts up to 200 dates as YYYY-MM-DD */
            holidays: string[];
        };
        FulfilmentInput: {
            /** @description An order at or after this time counts as one of the next day; 00:00 for none. Accepts a time of day as HH:MM */
            cutoff?: string;
            /** @description Accepts whole working days, 0 to 60 */
            handlingDays?: number;
            /** @description Accepts up to 7 different days of monday, tuesday, wednesday, thursday, friday, saturday, sunday */
            workingDays?: ("monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday")[];
            /** @description Accepts up to 200 dates as YYYY-MM-DD */
            holidays?: string[];
        };
        GateCriterionReport: {
            /** @enum {unknown} */
            criterion: "checksPass" | "noNewLintErrors" | "noLostCarts" | "differentPercentMax" | "coveragePercentMin" | "evaluatedMin";
            /** @description 0 for a criterion that allows none */
            limit: number;
            actual: number;
            passed: boolean;
            /** @description Failed checks, new errors, samples of lost or different carts, or pairs without a cart */
            evidence: (components["schemas"]["CheckResult"] | components["schemas"]["Finding"] | {
                at: string;
                destination: {
                    country: string;
                    province: string | null;
                    postalCode: string | null;
                };
                items: {
                    sku: string;
                    quantity: number;
                    grams: number;
                    /** @description Accepts whole cents, 0 to 9,007,199,254,740,991 */
                    price: number;
                    requiresShipping: boolean;
                }[];
                itemCount: number;
                /** @description Accepts whole cents, 0 to 9,007,199,254,740,991 */
                cartTotal: number;
                live: components["schemas"]["Rate"][];
                staged: components["schemas"]["Rate"][];
                differences: {
                    serviceCode: string;
                    serviceName: string;
                    live: number | null;
                    staged: number | null;
                }[];
                request: {
                    destination: components["schemas"]["Destination"];
                    items: components["schemas"]["CartItem"][];
                    /** @description Accepts a currency code of 3 letters */
                    currency?: string | null;
                    /** @description Accepts a string or null */
                    locale?: string | null;
                    customer?: components["schemas"]["Customer"] | null;
                    orderTotals?: components["schemas"]["OrderTotals"] | null;
                } | null;
                replayed: boolean;
            } | {
                /**
                 * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
                 * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
                 */
                zoneId: string;
                zoneName: string;
                /**
                 * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
                 * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
                 */
                productGroupId: string;
                productGroupName: string;
            })[];
        };
        GateReport: {
            passed: boolean;
            criteria: components["schemas"]["GateCriterionReport"][];
        };
        GroupCreate: {
            /** @description Accepts text of 1 to 200 characters without control characters */
            name: string;
            /** @description true for the one group of items that no group lists */
            isDefault?: boolean;
            /** @description Variant ids of the items in this group */
            variantIds?: string[];
            /** @description Product ids of the items in this group */
            productIds?: string[];
            /** @description SKUs (a trailing * is a wildcard) of the items in this group */
            skus?: string[];
            /** @description Tags of the items in this group */
            tags?: string[];
            /** @description Vendors of the items in this group */
            vendors?: string[];
            /** @description Accepts a 0-based position of at most 1,000,000 */
            position?: number;
            /** @description Read-only, ignored: an id does not change */
            id?: unknown;
        };
        GroupRecord: {
            /**
             * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
             * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
             */
            id: string;
            /** @description Accepts text of 1 to 200 characters without control characters */
            name: string;
            /** @description true for the one group of items that no group lists */
            isDefault: boolean;
            /** @description Variant ids of the items in this group */
            variantIds: string[];
            /** @description Product ids of the items in this group */
            productIds: string[];
            /** @description SKUs (a trailing * is a wildcard) of the items in this group */
            skus: string[];
            /** @description Tags of the items in this group */
            tags: string[];
            /** @description Vendors of the items in this group */
            vendors: string[];
            /** @description Accepts a 0-based position of at most 1,000,000 */
            position: number;
        };
        GroupUpdate: {
            /** @description Accepts text of 1 to 200 characters without control characters */
            name?: string;
            /** @description true for the one group of items that no group lists */
            isDefault?: boolean;
            /** @description Variant ids of the items in this group */
            variantIds?: string[];
            /** @description Product ids of the items in this group */
            productIds?: string[];
            /** @description SKUs (a trailing * is a wildcard) of the items in this group */
            skus?: string[];
            /** @description Tags of the items in this group */
            tags?: string[];
            /** @description Vendors of the items in this group */
            vendors?: string[];
            /** @description Accepts a 0-based position of at most 1,000,000 */
            position?: number;
            /**
             * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
             * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
             */
            id?: string;
        };
        KeyCreate: {
            /** @description Accepts text of 1 to 200 characters without control characters */
            label: string;
            /**
             * @description Accepts one of read, write, admin
             * @enum {unknown}
             */
            permission: "read" | "write" | "admin";
        };
        KeyRecord: {
            /**
             * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
             * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
             */
            id: string;
            /** @description Accepts text of 1 to 200 characters without control characters */
            label: string;
            /**
             * @description Accepts one of read, write, admin
             * @enum {unknown}
             */
            permission: "read" | "write" | "admin";
            prefix: string;
            createdAt: string;
            /** @description ISO time of the last use */
            lastUsedAt: string | null;
        };
        LastChanged: {
            versionId: string | null;
            /** @description Number of the version */
            number: number | null;
            /** @description ISO time */
            at: string | null;
            keyId: string | null;
            /** @description null when the key was revoked */
            keyLabel: string | null;
            createdBy: ("system" | "user" | "import" | "rollback" | "promotion") | null;
        };
        LintReport: {
            findings: components["schemas"]["Finding"][];
            /** @description How many more there are of a code: each is listed 100 times at most */
            omitted: components["schemas"]["OmittedFindings"][];
        };
        MatchedItem: {
            index: number;
            name: string;
            sku: string;
        };
        MatchedSubzone: {
            /**
             * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
             * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
             */
            id: string;
            name: string;
        };
        MatchedZone: {
            /**
             * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
             * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
             */
            id: string;
            name: string;
            subzone: components["schemas"]["MatchedSubzone"] | null;
        };
        MethodCreate: {
            /** @description Accepts text of 1 to 200 characters without control characters */
            name: string;
            /** @description Accepts text of 0 to 500 characters without control characters */
            subtitle?: string;
            /** @description Accepts text of 1 to 100 characters without control characters */
            serviceCode?: string;
            /**
             * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
             * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
             */
            zoneId: string;
            /**
             * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
             * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
             */
            productGroupId?: string;
            enabled?: boolean;
            /** @description Accepts whole cents, 0 to 9,007,199,254,740,991, or null */
            freeShippingThreshold?: number | null;
            /**
             * @description What freeShippingThreshold is compared with; cart_total by default. Accepts one of cart_total, order_total
             * @enum {unknown}
             */
            thresholdBasis?: "cart_total" | "order_total";
            /** @description Accepts minDays and maxDays in working days, or null for no delivery dates */
            delivery?: components["schemas"]["Delivery"] | null;
            /** @description Accepts a 0-based position of at most 1,000,000 */
            position?: number;
            /** @description Read-only, ignored: an id does not change */
            id?: unknown;
            /** @description Read-only, ignored: rules are written through /api/rules */
            rules?: unknown;
        } & ({
            /** @constant */
            rateType: "flat";
            config: components["schemas"]["FlatConfig"];
        } | {
            /** @constant */
            rateType: "free";
            config?: components["schemas"]["FreeConfig"];
        } | {
            /** @constant */
            rateType: "by_weight_table";
            config: components["schemas"]["ByWeightTableConfig"];
        } | {
            /** @constant */
            rateType: "by_price_table";
            config: components["schemas"]["ByPriceTableConfig"];
        } | {
            /** @constant */
            rateType: "by_items_table";
            config: components["schemas"]["ByItemsTableConfig"];
        } | {
            /** @constant */
            rateType: "by_items";
            config: components["schemas"]["ByItemsConfig"];
        } | {
            /** @constant */
            rateType: "by_weight";
            config: components["schemas"]["ByWeightConfig"];
        } | {
            /** @constant */
            rateType: "by_dimensional_weight";
            config: components["schemas"]["ByDimensionalWeightConfig"];
        } | {
            /** @constant */
            rateType: "percentage";
            config: components["schemas"]["PercentageConfig"];
        });
        MethodData: {
            /**
             * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
             * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
             */
            id?: string;
            /** @description Accepts text of 1 to 200 characters without control characters */
            name: string;
            /** @description Accepts text of 0 to 500 characters without control characters */
            subtitle?: string;
            /** @description Accepts text of 1 to 100 characters without control characters */
            serviceCode?: string;
            /**
             * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
             * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
             */
            zoneId: string;
            /**
             * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
             * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
             */
            productGroupId?: string;
            enabled?: boolean;
            /** @description Accepts whole cents, 0 to 9,007,199,254,740,991, or null */
            freeShippingThreshold?: number | null;
            /**
             * @description What freeShippingThreshold is compared with; cart_total by default. Accepts one of cart_total, order_total
             * @enum {unknown}
             */
            thresholdBasis?: "cart_total" | "order_total";
            /** @description Accepts minDays and maxDays in working days, or null for no delivery dates */
            delivery?: components["schemas"]["Delivery"] | null;
            rules?: components["schemas"]["RuleData"][];
            /** @description Read-only, ignored: the place in the array is the position */
            position?: unknown;
        } & ({
            /** @constant */
            rateType: "flat";
            config: components["schemas"]["FlatConfig"];
        } | {
            /** @constant */
            rateType: "free";
            config?: components["schemas"]["FreeConfig"];
        } | {
            /** @constant */
            rateType: "by_weight_table";
            config: components["schemas"]["ByWeightTableConfig"];
        } | {
            /** @constant */
            rateType: "by_price_table";
            config: components["schemas"]["ByPriceTableConfig"];
        } | {
            /** @constant */
            rateType: "by_items_table";
            config: components["schemas"]["ByItemsTableConfig"];
        } | {
            /** @constant */
            rateType: "by_items";
            config: components["schemas"]["ByItemsConfig"];
        } | {
            /** @constant */
            rateType: "by_weight";
            config: components["schemas"]["ByWeightConfig"];
        } | {
            /** @constant */
            rateType: "by_dimensional_weight";
            config: components["schemas"]["ByDimensionalWeightConfig"];
        } | {
            /** @constant */
            rateType: "percentage";
            config: components["schemas"]["PercentageConfig"];
        });
        MethodEvaluation: {
            /**
             * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
             * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
             */
            methodId: string;
            methodName: string;
            /**
             * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
             * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
             */
            productGroupId: string;
            visible: boolean;
            reason: ("hidden_by_rule" | "not_shown_by_rule" | "outside_rate_table") | null;
            rate: components["schemas"]["Rate"] | null;
            ruleTraces: components["schemas"]["RuleTrace"][];
        };
        MethodInSnapshot: {
            /**
             * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
             * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
             */
            id: string;
            /** @description Accepts text of 1 to 200 characters without control characters */
            name: string;
            /** @description Accepts text of 0 to 500 characters without control characters */
            subtitle: string;
            /** @description Accepts text of 1 to 100 characters without control characters */
            serviceCode: string;
            /**
             * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
             * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
             */
            zoneId: string;
            /**
             * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
             * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
             */
            productGroupId: string;
            enabled: boolean;
            /** @description Accepts whole cents, 0 to 9,007,199,254,740,991, or null */
            freeShippingThreshold: number | null;
            /**
             * @description What freeShippingThreshold is compared with; cart_total by default. Accepts one of cart_total, order_total
             * @enum {unknown}
             */
            thresholdBasis?: "cart_total" | "order_total";
            /** @description Accepts minDays and maxDays in working days, or null for no delivery dates */
            delivery?: components["schemas"]["Delivery"] | null;
            rules: components["schemas"]["Rule"][];
        } & ({
            /** @constant */
            rateType: "flat";
            config: components["schemas"]["FlatConfig"];
        } | {
            /** @constant */
            rateType: "free";
            config: components["schemas"]["FreeConfig"];
        } | {
            /** @constant */
            rateType: "by_weight_table";
            config: components["schemas"]["ByWeightTableConfig"];
        } | {
            /** @constant */
            rateType: "by_price_table";
            config: components["schemas"]["ByPriceTableConfig"];
        } | {
            /** @constant */
            rateType: "by_items_table";
            config: components["schemas"]["ByItemsTableConfig"];
        } | {
            /** @constant */
            rateType: "by_items";
            config: components["schemas"]["ByItemsConfig"];
        } | {
            /** @constant */
            rateType: "by_weight";
            config: components["schemas"]["ByWeightConfig"];
        } | {
            /** @constant */
            rateType: "by_dimensional_weight";
            config: components["schemas"]["ByDimensionalWeightConfig"];
        } | {
            /** @constant */
            rateType: "percentage";
            config: components["schemas"]["PercentageConfig"];
        });
        MethodRecord: {
            /**
             * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
             * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
             */
            id: string;
            /** @description Accepts text of 1 to 200 characters without control characters */
            name: string;
            /** @description Accepts text of 0 to 500 characters without control characters */
            subtitle: string;
            /** @description Accepts text of 1 to 100 characters without control characters */
            serviceCode: string;
            /**
             * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
             * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
             */
            zoneId: string;
            /**
             * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
             * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
             */
            productGroupId: string;
            enabled: boolean;
            /** @description Accepts whole cents, 0 to 9,007,199,254,740,991, or null */
            freeShippingThreshold: number | null;
            /**
             * @description What freeShippingThreshold is compared with; cart_total by default. Accepts one of cart_total, order_total
             * @enum {unknown}
             */
            thresholdBasis?: "cart_total" | "order_total";
            /** @description Accepts minDays and maxDays in working days, or null for no delivery dates */
            delivery?: components["schemas"]["Delivery"] | null;
            /** @description Accepts a 0-based position of at most 1,000,000 */
            position: number;
        } & ({
            /** @constant */
            rateType: "flat";
            config: components["schemas"]["FlatConfig"];
        } | {
            /** @constant */
            rateType: "free";
            config: components["schemas"]["FreeConfig"];
        } | {
            /** @constant */
            rateType: "by_weight_table";
            config: components["schemas"]["ByWeightTableConfig"];
        } | {
            /** @constant */
            rateType: "by_price_table";
            config: components["schemas"]["ByPriceTableConfig"];
        } | {
            /** @constant */
            rateType: "by_items_table";
            config: components["schemas"]["ByItemsTableConfig"];
        } | {
            /** @constant */
            rateType: "by_items";
            config: components["schemas"]["ByItemsConfig"];
        } | {
            /** @constant */
            rateType: "by_weight";
            config: components["schemas"]["ByWeightConfig"];
        } | {
            /** @constant */
            rateType: "by_dimensional_weight";
            config: components["schemas"]["ByDimensionalWeightConfig"];
        } | {
            /** @constant */
            rateType: "percentage";
            config: components["schemas"]["PercentageConfig"];
        });
        MethodUpdate: {
            /** @description Accepts text of 1 to 200 characters without control characters */
            name?: string;
            /** @description Accepts text of 0 to 500 characters without control characters */
            subtitle?: string;
            /** @description Accepts text of 1 to 100 characters without control characters */
            serviceCode?: string;
            /**
             * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
             * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
             */
            zoneId?: string;
            /**
             * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
             * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
             */
            productGroupId?: string;
            enabled?: boolean;
            /** @description Accepts whole cents, 0 to 9,007,199,254,740,991, or null */
            freeShippingThreshold?: number | null;
            /**
             * @description What freeShippingThreshold is compared with; cart_total by default. Accepts one of cart_total, order_total
             * @enum {unknown}
             */
            thresholdBasis?: "cart_total" | "order_total";
            /** @description Accepts minDays and maxDays in working days, or null for no delivery dates */
            delivery?: components["schemas"]["Delivery"] | null;
            /** @description Accepts a 0-based position of at most 1,000,000 */
            position?: number;
            /**
             * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
             * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
             */
            id?: string;
            /** @description Read-only, ignored: rules are written through /api/rules */
            rules?: unknown;
        } & ({
            /** @constant */
            rateType: "flat";
            config?: components["schemas"]["FlatConfig"];
        } | {
            /** @constant */
            rateType: "free";
            config?: components["schemas"]["FreeConfig"];
        } | {
            /** @constant */
            rateType: "by_weight_table";
            config?: components["schemas"]["ByWeightTableConfig"];
        } | {
            /** @constant */
            rateType: "by_price_table";
            config?: components["schemas"]["ByPriceTableConfig"];
        } | {
            /** @constant */
            rateType: "by_items_table";
            config?: components["schemas"]["ByItemsTableConfig"];
        } | {
            /** @constant */
            rateType: "by_items";
            config?: components["schemas"]["ByItemsConfig"];
        } | {
            /** @constant */
            rateType: "by_weight";
            config?: components["schemas"]["ByWeightConfig"];
        } | {
            /** @constant */
            rateType: "by_dimensional_weight";
            config?: components["schemas"]["ByDimensionalWeightConfig"];
        } | {
            /** @constant */
            rateType: "percentage";
            config?: components["schemas"]["PercentageConfig"];
        } | {
            rateType?: never;
            config?: components["schemas"]["RateConfig"];
        });
        MethodWithRules: {
            /**
             * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
             * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
             */
            id: string;
            /** @description Accepts text of 1 to 200 characters without control characters */
            name: string;
            /** @description Accepts text of 0 to 500 characters without control characters */
            subtitle: string;
            /** @description Accepts text of 1 to 100 characters without control characters */
            serviceCode: string;
            /**
             * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
             * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
             */
            zoneId: string;
            /**
             * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
             * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
             */
            productGroupId: string;
            enabled: boolean;
            /** @description Accepts whole cents, 0 to 9,007,199,254,740,991, or null */
            freeShippingThreshold: number | null;
            /**
             * @description What freeShippingThreshold is compared with; cart_total by default. Accepts one of cart_total, order_total
             * @enum {unknown}
             */
            thresholdBasis?: "cart_total" | "order_total";
            /** @description Accepts minDays and maxDays in working days, or null for no delivery dates */
            delivery?: components["schemas"]["Delivery"] | null;
            /** @description Accepts a 0-based position of at most 1,000,000 */
            position: number;
            rules: components["schemas"]["RuleRecord"][];
        } & ({
            /** @constant */
            rateType: "flat";
            config: components["schemas"]["FlatConfig"];
        } | {
            /** @constant */
            rateType: "free";
            config: components["schemas"]["FreeConfig"];
        } | {
            /** @constant */
            rateType: "by_weight_table";
            config: components["schemas"]["ByWeightTableConfig"];
        } | {
            /** @constant */
            rateType: "by_price_table";
            config: components["schemas"]["ByPriceTableConfig"];
        } | {
            /** @constant */
            rateType: "by_items_table";
            config: components["schemas"]["ByItemsTableConfig"];
        } | {
            /** @constant */
            rateType: "by_items";
            config: components["schemas"]["ByItemsConfig"];
        } | {
            /** @constant */
            rateType: "by_weight";
            config: components["schemas"]["ByWeightConfig"];
        } | {
            /** @constant */
            rateType: "by_dimensional_weight";
            config: components["schemas"]["ByDimensionalWeightConfig"];
        } | {
            /** @constant */
            rateType: "percentage";
            config: components["schemas"]["PercentageConfig"];
        });
        ModifiedEntry: {
            /** @enum {unknown} */
            kind: "zone" | "subzone" | "productGroup" | "method" | "rule" | "blendedRate" | "check";
            id: string | null;
            name: string;
            parentId?: string | null;
            changes: {
                field: string;
                from: unknown;
                to: unknown;
            }[];
        };
        NoRateExpectation: {
            /** @constant */
            kind: "no_rate";
            /** @description Accepts text of 1 to 100 characters without control characters */
            serviceCode: string;
        };
        NotConsidered: {
            /**
             * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
             * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
             */
            methodId: string;
            /** @description Accepts text of 1 to 200 characters without control characters */
            methodName: string;
            /** @enum {unknown} */
            reason: "disabled" | "other_subzone" | "replaced_by_subzone" | "group_not_in_cart";
        };
        OmittedFindings: {
            code: components["schemas"]["FindingCode"];
            count: number;
        };
        OperatorWord: {
            name: string;
            /** @description The operator that it negates */
            negates: string | null;
            /** @description Minimum number of values, which are separated by commas */
            valuesMin: number;
            valuesMax: number | null;
        };
        OrderTotals: {
            /** @description Accepts a whole number from 0 to 1,000,000,000,000 (cents) or null */
            subtotalPrice?: number | null;
            /** @description Accepts a whole number from 0 to 1,000,000,000,000 (cents) or null */
            totalPrice?: number | null;
            /** @description Accepts a whole number from 0 to 1,000,000,000,000 (cents) or null */
            discountAmount?: number | null;
        };
        /** @description percentage of the total price, rounded half up, then at least minPrice and at most maxPrice */
        PercentageConfig: {
            /** @description Accepts a percentage, 0 to 1,000, with at most 2 decimals */
            percentage: number;
            /** @description Accepts whole cents, 0 to 9,007,199,254,740,991 */
            minPrice?: number;
            /** @description Accepts whole cents, 0 to 9,007,199,254,740,991 */
            maxPrice?: number;
        };
        PlanLimits: {
            /** @description Accepts a whole number, or null for unlimited */
            methods: number | null;
            /** @description Accepts a whole number, or null for unlimited */
            groups: number | null;
            /** @description Accepts a whole number, or null for unlimited */
            zones: number | null;
            /** @description Accepts a whole number, or null for unlimited */
            blendedRates: number | null;
            /** @description Accepts a whole number, or null for unlimited */
            rulesPerMethod: number | null;
            /** @description Accepts a whole number, or null for unlimited */
            checks: number | null;
            /** @description Accepts a whole number, or null for unlimited */
            keys: number | null;
            /** @description Accepts a whole number, or null for unlimited */
            requestsPerMinute: number | null;
            /** @description Accepts a whole number, or null for unlimited */
            simulationsPerSecond: number | null;
            /** @description Accepts a whole number, or null for unlimited */
            historyDays: number | null;
        };
        PlanWord: {
            name: string;
            /** @description null when the operator has removed the plan */
            limits: components["schemas"]["PlanLimits"] | null;
        };
        Preference: {
            /**
             * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
             * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
             */
            productGroupId: string;
            /** @description Accepts the id of a method, or null for the lowest rate */
            preferredMethodId: string | null;
        };
        PreferenceInput: {
            /**
             * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
             * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
             */
            productGroupId: string;
            /** @description Accepts the id of a method, or null for the lowest rate */
            preferredMethodId?: string | null;
        };
        PreviewAnswer: {
            added: components["schemas"]["CompareEntry"][];
            modified: components["schemas"]["ModifiedEntry"][];
            removed: components["schemas"]["CompareEntry"][];
            summary: components["schemas"]["ChangeCounts"];
            warnings: components["schemas"]["Warning"][];
            /** @description How many more there are of a code: each is listed 100 times at most */
            warningsOmitted: components["schemas"]["OmittedFindings"][];
            checks: components["schemas"]["CheckResults"];
            simulation?: components["schemas"]["ExplainedAnswer"];
        };
        PriceCurve: {
            /** @enum {unknown} */
            vary: "cart_total" | "cart_weight" | "quantity";
            /** @description Ascending and without gaps; the rates of neighbours differ */
            segments: components["schemas"]["CurveSegment"][];
            /** @description The curve ends before `to`: there are more segments, or prices beyond 2^53-1 */
            limited: boolean;
        };
        ProductGroup: {
            /**
             * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
             * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
             */
            id: string;
            /** @description Accepts text of 1 to 200 characters without control characters */
            name: string;
            /** @description true for the one group of items that no group lists */
            isDefault: boolean;
            /** @description Variant ids of the items in this group */
            variantIds: string[];
            /** @description Product ids of the items in this group */
            productIds: string[];
            /** @description SKUs (a trailing * is a wildcard) of the items in this group */
            skus: string[];
            /** @description Tags of the items in this group */
            tags: string[];
            /** @description Vendors of the items in this group */
            vendors: string[];
        };
        ProductGroupData: {
            /**
             * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
             * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
             */
            id?: string;
            /** @description Accepts text of 1 to 200 characters without control characters */
            name: string;
            /** @description true for the one group of items that no group lists */
            isDefault?: boolean;
            /** @description Variant ids of the items in this group */
            variantIds?: string[];
            /** @description Product ids of the items in this group */
            productIds?: string[];
            /** @description SKUs (a trailing * is a wildcard) of the items in this group */
            skus?: string[];
            /** @description Tags of the items in this group */
            tags?: string[];
            /** @description Vendors of the items in this group */
            vendors?: string[];
            /** @description Read-only, ignored: the place in the array is the position */
            position?: unknown;
        };
        PromoteAnswer: {
            staging: null;
            version: components["schemas"]["VersionRecord"];
            summary: components["schemas"]["ChangeCounts"];
        };
        PromotionGate: {
            /** @description No enabled check of the changeset fails */
            checksPass?: boolean;
            /** @description The lint finds no error that the live configuration does not have */
            noNewLintErrors?: boolean;
            /** @description No evaluated cart that has a rate live has none staged */
            noLostCarts?: boolean;
            /** @description Accepts a number from 0 to 100 */
            differentPercentMax?: number;
            /** @description Accepts a number from 0 to 100 */
            coveragePercentMin?: number;
            /** @description Evaluated carts at least */
            evaluatedMin?: number;
        };
        Rate: {
            serviceName: string;
            serviceCode: string;
            description: string;
            /** @description Accepts whole cents, 0 to 9,007,199,254,740,991 */
            totalPrice: number;
            currency: string;
            /** @description YYYY-MM-DD in the shop's time zone; absent without a delivery time */
            minDeliveryDate?: string;
            /** @description YYYY-MM-DD in the shop's time zone; absent without a delivery time */
            maxDeliveryDate?: string;
        };
        RateBetweenExpectation: {
            /** @constant */
            kind: "rate_between";
            /** @description Accepts text of 1 to 100 characters without control characters */
            serviceCode: string;
            /** @description Accepts whole cents, 0 to 9,007,199,254,740,991 */
            minPrice: number;
            /** @description Accepts whole cents, 0 to 9,007,199,254,740,991 */
            maxPrice: number;
        };
        /** @description The config of the rate type: flat, free, by_weight_table, by_price_table, by_items_table, by_items, by_weight, by_dimensional_weight, percentage, in this order */
        RateConfig: components["schemas"]["FlatConfig"] | components["schemas"]["FreeConfig"] | components["schemas"]["ByWeightTableConfig"] | components["schemas"]["ByPriceTableConfig"] | components["schemas"]["ByItemsTableConfig"] | components["schemas"]["ByItemsConfig"] | components["schemas"]["ByWeightConfig"] | components["schemas"]["ByDimensionalWeightConfig"] | components["schemas"]["PercentageConfig"];
        RateExpectation: {
            /** @constant */
            kind: "rate";
            /** @description Accepts text of 1 to 100 characters without control characters */
            serviceCode: string;
            /** @description Accepts whole cents, 0 to 9,007,199,254,740,991 */
            totalPrice: number;
        };
        RateTypeWord: {
            name: string;
            /** @description JSON Schema of the config */
            config: {
                [key: string]: unknown;
            };
        };
        RatesAnswer: {
            rates: components["schemas"]["Rate"][];
        };
        RatesExpectation: {
            /** @constant */
            kind: "rates";
            rates: components["schemas"]["ExpectedRate"][];
        };
        RollbackAnswer: {
            version: components["schemas"]["VersionRecord"];
            summary: components["schemas"]["ChangeCounts"];
        };
        RollbackToVersion: {
            /** @constant */
            action: "rollback";
            /**
             * @description Accepts an id of a version, its number in decimal as text, or live
             * @example version_01JD3V8RZK6Q9W5T7X2Y4B8N0G
             */
            targetVersionId: string;
        };
        Rule: {
            /**
             * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
             * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
             */
            id: string;
            /**
             * @description Accepts one of hide, show, free, adjust_add, adjust_subtract
             * @enum {unknown}
             */
            action: "hide" | "show" | "free" | "adjust_add" | "adjust_subtract";
            conditions: components["schemas"]["Condition"][];
            /** @description Accepts whole cents, 0 to 9,007,199,254,740,991, or whole points, 0 to 1,000, when adjustmentType is percentage */
            adjustmentValue?: number;
            /**
             * @description Accepts one of flat, percentage
             * @enum {unknown}
             */
            adjustmentType?: "flat" | "percentage";
            enabled: boolean;
            /** @description Accepts text of 0 to 200 characters without control characters */
            name: string;
        };
        RuleCreate: {
            /**
             * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
             * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
             */
            methodId?: string;
            /**
             * @description Accepts one of hide, show, free, adjust_add, adjust_subtract
             * @enum {unknown}
             */
            action: "hide" | "show" | "free" | "adjust_add" | "adjust_subtract";
            conditions?: components["schemas"]["ConditionInput"][];
            /** @description Accepts whole cents, 0 to 9,007,199,254,740,991, or whole points, 0 to 1,000, when adjustmentType is percentage */
            adjustmentValue?: number;
            /**
             * @description Accepts one of flat, percentage
             * @enum {unknown}
             */
            adjustmentType?: "flat" | "percentage";
            enabled?: boolean;
            /** @description Accepts text of 0 to 200 characters without control characters */
            name?: string;
            /** @description Accepts a 0-based position of at most 1,000,000 */
            position?: number;
            /** @description Read-only, ignored: an id does not change */
            id?: unknown;
        };
        RuleData: {
            /**
             * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
             * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
             */
            id?: string;
            /**
             * @description Accepts one of hide, show, free, adjust_add, adjust_subtract
             * @enum {unknown}
             */
            action: "hide" | "show" | "free" | "adjust_add" | "adjust_subtract";
            conditions?: components["schemas"]["ConditionInput"][];
            /** @description Accepts whole cents, 0 to 9,007,199,254,740,991, or whole points, 0 to 1,000, when adjustmentType is percentage */
            adjustmentValue?: number;
            /**
             * @description Accepts one of flat, percentage
             * @enum {unknown}
             */
            adjustmentType?: "flat" | "percentage";
            enabled?: boolean;
            /** @description Accepts text of 0 to 200 characters without control characters */
            name?: string;
            /** @description Read-only, ignored: a rule belongs to the method it stands in */
            methodId?: unknown;
            /** @description Read-only, ignored: the place in the array is the position */
            position?: unknown;
        };
        RuleRecord: {
            /**
             * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
             * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
             */
            id: string;
            /**
             * @description Accepts one of hide, show, free, adjust_add, adjust_subtract
             * @enum {unknown}
             */
            action: "hide" | "show" | "free" | "adjust_add" | "adjust_subtract";
            conditions: components["schemas"]["Condition"][];
            /** @description Accepts whole cents, 0 to 9,007,199,254,740,991, or whole points, 0 to 1,000, when adjustmentType is percentage */
            adjustmentValue?: number;
            /**
             * @description Accepts one of flat, percentage
             * @enum {unknown}
             */
            adjustmentType?: "flat" | "percentage";
            enabled: boolean;
            /** @description Accepts text of 0 to 200 characters without control characters */
            name: string;
            /**
             * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
             * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
             */
            methodId: string;
            /** @description Accepts a 0-based position of at most 1,000,000 */
            position: number;
        };
        RuleTrace: {
            /**
             * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
             * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
             */
            ruleId: string;
            /** @enum {unknown} */
            action: "hide" | "show" | "free" | "adjust_add" | "adjust_subtract";
            matched: boolean;
            conditions: components["schemas"]["ConditionTrace"][];
            matchedItems?: components["schemas"]["MatchedItem"][];
        };
        RuleUpdate: {
            /**
             * @description Accepts one of hide, show, free, adjust_add, adjust_subtract
             * @enum {unknown}
             */
            action?: "hide" | "show" | "free" | "adjust_add" | "adjust_subtract";
            conditions?: components["schemas"]["ConditionInput"][];
            /** @description Accepts whole cents, 0 to 9,007,199,254,740,991, or whole points, 0 to 1,000, when adjustmentType is percentage */
            adjustmentValue?: number;
            /**
             * @description Accepts one of flat, percentage
             * @enum {unknown}
             */
            adjustmentType?: "flat" | "percentage";
            enabled?: boolean;
            /** @description Accepts text of 0 to 200 characters without control characters */
            name?: string;
            /**
             * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
             * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
             */
            methodId?: string;
            /** @description Accepts a 0-based position of at most 1,000,000 */
            position?: number;
            /**
             * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
             * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
             */
            id?: string;
        };
        RunChecks: {
            /** @constant */
            action: "run";
            /**
             * @description Accepts live or staged
             * @enum {unknown}
             */
            view?: "live" | "staged";
            /**
             * @description Accepts an id of a version, its number in decimal as text, or live
             * @example version_01JD3V8RZK6Q9W5T7X2Y4B8N0G
             */
            version?: string;
            /** @description Accepts up to 1000 ids of checks */
            ids?: string[];
        };
        ScopeWord: {
            name: string;
            /** @enum {unknown} */
            items: "order" | "group";
            /** @enum {unknown} */
            quantifier: "any" | "all" | "none" | "sum";
        };
        ShadowResults: {
            evaluated: number;
            identical: number;
            different: number;
            dropped: number;
            lost: number;
            gained: number;
            replayed: number;
            coverage: {
                seen: number;
                possible: number;
                percent: number;
                missing: {
                    /**
                     * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
                     * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
                     */
                    zoneId: string;
                    zoneName: string;
                    /**
                     * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
                     * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
                     */
                    productGroupId: string;
                    productGroupName: string;
                }[];
            };
            byMethod: {
                [key: string]: {
                    name: string;
                    priceUp: number;
                    priceDown: number;
                    appeared: number;
                    disappeared: number;
                    differenceCents: number;
                };
            };
            byZone: {
                [key: string]: {
                    name: string;
                    evaluated: number;
                    different: number;
                    /** @description Sum of the cheapest staged rate minus the cheapest live one, over carts that both offer a rate */
                    differenceCents: number;
                };
            };
            byGroup: {
                [key: string]: {
                    name: string;
                    evaluated: number;
                    different: number;
                    /** @description Sum of the cheapest staged rate minus the cheapest live one, over carts that both offer a rate */
                    differenceCents: number;
                };
            };
            samples: {
                at: string;
                destination: {
                    country: string;
                    province: string | null;
                    postalCode: string | null;
                };
                items: {
                    sku: string;
                    quantity: number;
                    grams: number;
                    /** @description Accepts whole cents, 0 to 9,007,199,254,740,991 */
                    price: number;
                    requiresShipping: boolean;
                }[];
                itemCount: number;
                /** @description Accepts whole cents, 0 to 9,007,199,254,740,991 */
                cartTotal: number;
                live: components["schemas"]["Rate"][];
                staged: components["schemas"]["Rate"][];
                differences: {
                    serviceCode: string;
                    serviceName: string;
                    live: number | null;
                    staged: number | null;
                }[];
                request: {
                    destination: components["schemas"]["Destination"];
                    items: components["schemas"]["CartItem"][];
                    /** @description Accepts a currency code of 3 letters */
                    currency?: string | null;
                    /** @description Accepts a string or null */
                    locale?: string | null;
                    customer?: components["schemas"]["Customer"] | null;
                    orderTotals?: components["schemas"]["OrderTotals"] | null;
                } | null;
                replayed: boolean;
            }[];
        };
        ShadowedStaging: {
            /**
             * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
             * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
             */
            id: string;
            /** @constant */
            status: "active";
            /**
             * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
             * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
             */
            baseVersionId: string;
            enteredAt: string;
            enteredBy: string | null;
            changes: components["schemas"]["ChangeCounts"];
            diff: components["schemas"]["Comparison"];
            shadow: components["schemas"]["ShadowResults"];
        };
        ShopRecord: {
            /**
             * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
             * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
             */
            id: string;
            /** @description Accepts text of 1 to 200 characters without control characters */
            name: string;
            /**
             * @description Accepts an ISO 4217 currency code in upper case
             * @example USD
             */
            currency: string;
            /**
             * @description Accepts an IANA time zone
             * @example America/New_York
             */
            timezone: string;
            /** @description Accepts the name of a plan */
            plan: string;
            promotionGate: components["schemas"]["PromotionGate"] | null;
            fulfilment: components["schemas"]["Fulfilment"];
            /** @description The plan's limits; null when the operator has removed the plan */
            limits: components["schemas"]["PlanLimits"] | null;
            usage: components["schemas"]["ShopUsage"];
        };
        ShopUpdate: {
            /** @description Accepts text of 1 to 200 characters without control characters */
            name?: string;
            /**
             * @description Accepts an ISO 4217 currency code in upper case
             * @example USD
             */
            currency?: string;
            /**
             * @description Accepts an IANA time zone
             * @example America/New_York
             */
            timezone?: string;
            promotionGate?: components["schemas"]["PromotionGate"] | null;
            fulfilment?: components["schemas"]["FulfilmentInput"] | null;
            /** @description Read-only, ignored: an id does not change */
            id?: unknown;
            /** @description Read-only, ignored: the plan is set by the operator */
            plan?: unknown;
            /** @description Read-only, ignored: they follow the plan */
            limits?: unknown;
            /** @description Read-only, ignored: it is counted */
            usage?: unknown;
        };
        ShopUsage: {
            methods: number;
            groups: number;
            zones: number;
            blendedRates: number;
            checks: number;
            /** @description Rules of the method with the most rules */
            rulesPerMethod: number;
            keys: number;
            /** @description Requests of this key within the last minute; null where they are unlimited */
            requestsPerMinute: number | null;
            /** @description Simulations of the shop within the last second; null where they are unlimited */
            simulationsPerSecond: number | null;
            /** @description Whole days since the oldest version that is kept */
            historyDays: number;
            staged?: components["schemas"]["StagedUsage"];
        };
        SimulateAnswer: {
            rates: components["schemas"]["Rate"][];
            methodEvaluations: components["schemas"]["MethodEvaluation"][];
            blendedRates: components["schemas"]["BlendedEvaluation"][];
            zone: components["schemas"]["MatchedZone"] | null;
        };
        SimulateBatch: {
            /** @description Accepts an array of 1 to 100 simulate requests */
            requests: components["schemas"]["SimulateRequest"][];
            /** @description The clock of time conditions for all of them, as the query parameter. Accepts an ISO 8601 time with an offset, such as 2026-11-18T17:00:00Z */
            at?: string | null;
        };
        SimulateBatchAnswer: {
            answers: (components["schemas"]["SimulateAnswer"] | components["schemas"]["ExplainedAnswer"] | components["schemas"]["RatesAnswer"] | components["schemas"]["Error"])[];
        };
        SimulateRequest: {
            destination: components["schemas"]["Destination"];
            /** @description Accepts an array of 1 to 1,000 items */
            items: components["schemas"]["CartItem"][];
            /** @description Accepts a currency code of 3 letters */
            currency?: string | null;
            /** @description Accepts a string or null */
            locale?: string | null;
            customer?: components["schemas"]["Customer"] | null;
            orderTotals?: components["schemas"]["OrderTotals"] | null;
        };
        SimulatedTime: {
            /** @description ISO time, in UTC */
            iso: string;
            /** @description YYYY-MM-DD in the shop's time zone */
            date: string;
            /** @description HH:MM in the shop's time zone */
            time: string;
            /**
             * @description Day of the week in the shop's time zone
             * @enum {unknown}
             */
            day: "monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday";
        };
        SomeRateExpectation: {
            /** @constant */
            kind: "some_rate";
        };
        /** @description The same for the changeset, while one is active: the limits apply to it */
        StagedUsage: {
            methods: number;
            groups: number;
            zones: number;
            blendedRates: number;
            checks: number;
            /** @description Rules of the method with the most rules */
            rulesPerMethod: number;
        };
        StagingAction: {
            /**
             * @description Accepts enter, promote, discard or replay
             * @enum {unknown}
             */
            action: "enter" | "promote" | "discard" | "replay";
            /** @description For promote: skip the gate of the shop. Needs the permission admin */
            force?: boolean;
        };
        Subzone: {
            /**
             * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
             * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
             */
            id: string;
            /** @description Accepts text of 1 to 200 characters without control characters */
            name: string;
            /** @description Accepts text of 0 to 1,048,576 characters without control characters */
            postalCodes: string;
        };
        SubzoneCreate: {
            /** @description Accepts text of 1 to 200 characters without control characters */
            name: string;
            /** @description Accepts text of 0 to 1,048,576 characters without control characters */
            postalCodes: string;
            /** @description Read-only, ignored: a new zone has new subzones */
            id?: unknown;
        };
        SubzoneData: {
            /**
             * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
             * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
             */
            id?: string;
            /** @description Accepts text of 1 to 200 characters without control characters */
            name: string;
            /** @description Accepts text of 0 to 1,048,576 characters without control characters */
            postalCodes: string;
        };
        Sweep: {
            request: components["schemas"]["SimulateRequest"];
            /** @description Accepts an ISO 8601 time with an offset, such as 2026-11-18T17:00:00Z */
            at?: string;
            /**
             * @description cart_total in cents, cart_weight in grams, or the quantity of the item. Accepts one of cart_total, cart_weight, quantity
             * @enum {unknown}
             */
            vary: "cart_total" | "cart_weight" | "quantity";
            /** @description The item that varies; the first shippable one when absent. Accepts the index of an item, 0 or more */
            itemIndex?: number;
            /** @description First value, included. Accepts a whole number, 0 to 9,007,199,254,740,991 */
            from: number;
            /** @description Last value, included. Accepts a whole number, 0 to 9,007,199,254,740,991 */
            to: number;
            /**
             * @description Accepts live or staged
             * @enum {unknown}
             */
            view?: "live" | "staged";
            /**
             * @description Accepts an id of a version, its number in decimal as text, or live
             * @example version_01JD3V8RZK6Q9W5T7X2Y4B8N0G
             */
            version?: string;
        };
        VersionAction: components["schemas"]["CompareVersions"] | components["schemas"]["RollbackToVersion"] | components["schemas"]["BisectVersions"];
        VersionDetail: {
            /**
             * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
             * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
             */
            id: string;
            number: number;
            createdAt: string;
            /** @enum {unknown} */
            createdBy: "system" | "user" | "import" | "rollback" | "promotion";
            keyId: string | null;
            description: string;
            batchId: string | null;
            changes: components["schemas"]["ChangeCounts"];
            /** @description The label of that key; null when the key was revoked or there was none */
            keyLabel: string | null;
            diff: components["schemas"]["Comparison"];
            config: components["schemas"]["ConfigSnapshot"];
        };
        VersionRecord: {
            /**
             * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
             * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
             */
            id: string;
            number: number;
            createdAt: string;
            /** @enum {unknown} */
            createdBy: "system" | "user" | "import" | "rollback" | "promotion";
            keyId: string | null;
            description: string;
            batchId: string | null;
            changes: components["schemas"]["ChangeCounts"];
            /** @description The label of that key; null when the key was revoked or there was none */
            keyLabel: string | null;
        };
        VersionRow: {
            /**
             * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
             * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
             */
            id: string;
            number: number;
            createdAt: string;
            /** @enum {unknown} */
            createdBy: "system" | "user" | "import" | "rollback" | "promotion";
            keyId: string | null;
            description: string;
            batchId: string | null;
            changes: components["schemas"]["ChangeCounts"];
            /** @description The label of that key; null when the key was revoked or there was none */
            keyLabel: string | null;
            batch?: components["schemas"]["Batch"];
        };
        Vocabulary: {
            conditionTypes: components["schemas"]["ConditionTypeWord"][];
            operators: components["schemas"]["OperatorWord"][];
            scopes: components["schemas"]["ScopeWord"][];
            weekdays: string[];
            rateTypes: components["schemas"]["RateTypeWord"][];
            actions: components["schemas"]["ActionWord"][];
            /** @description What a check can expect */
            expectations: components["schemas"]["ExpectationWord"][];
            gateCriteria: string[];
            /** @description What the lint can find */
            findings: components["schemas"]["FindingWord"][];
            limits: components["schemas"]["VocabularyLimits"];
        };
        VocabularyLimits: {
            cents: number;
            quantity: number;
            nameLength: number;
            subtitleLength: number;
            serviceCodeLength: number;
            conditionValueLength: number;
            postalCodesLength: number;
            countriesPerZone: number;
            subzonesPerZone: number;
            matcherLength: number;
            tiers: number;
            percentage: number;
            conditionsPerRule: number;
            expectationsPerCheck: number;
            adjustmentPercentage: number;
            itemsPerRequest: number;
            plan: components["schemas"]["PlanWord"];
        };
        Warning: {
            code: components["schemas"]["FindingCode"];
            /** @enum {unknown} */
            severity: "error" | "warning" | "info";
            record: components["schemas"]["CompareEntry"];
            /** @description One sentence */
            message: string;
            /** @description null where no request shows the defect */
            witness: components["schemas"]["Witness"] | null;
        };
        WhyNot: {
            change: {
                /** @constant */
                kind: "cart_total";
                /** @description Cents by which the cart total changes; negative = less */
                by: number;
                /** @description Index into the items of the request */
                itemIndex: number;
                /** @description New unit price of that item in cents */
                to: number;
                /** @description The change in one sentence */
                text: string;
            } | {
                /** @constant */
                kind: "order_total";
                /** @description Cents by which the total of the order after discounts changes; negative = less */
                by: number;
                /** @description New `orderTotals.totalPrice` in cents */
                to: number;
                /** @description The change in one sentence */
                text: string;
            } | {
                /** @constant */
                kind: "cart_weight";
                /** @description Grams by which the cart weight changes; negative = less */
                by: number;
                /** @description Index into the items of the request */
                itemIndex: number;
                /** @description New unit weight of that item in grams */
                to: number;
                /** @description The change in one sentence */
                text: string;
            } | {
                /** @constant */
                kind: "quantity";
                /** @description Pieces; negative = less */
                by: number;
                /** @description Index into the items of the request */
                itemIndex: number;
                /** @description New quantity of that item */
                to: number;
                /** @description The change in one sentence */
                text: string;
            } | {
                /** @constant */
                kind: "tag_added";
                /** @description Index into the items of the request */
                itemIndex: number;
                /** @description Appended to the tags of that item, behind a comma */
                tag: string;
                /** @description The change in one sentence */
                text: string;
            } | {
                /** @constant */
                kind: "tag_removed";
                /** @description Index into the items of the request */
                itemIndex: number;
                /** @description Every tag of that item that compares equal is removed */
                tag: string;
                /** @description The change in one sentence */
                text: string;
            } | {
                /** @constant */
                kind: "item_dropped";
                /** @description Index into the items of the request */
                itemIndex: number;
                /** @description The change in one sentence */
                text: string;
            } | {
                /** @constant */
                kind: "state";
                /** @description New `destination.province`; "" = none */
                to: string;
                /** @description The change in one sentence */
                text: string;
            } | {
                /** @constant */
                kind: "postal_code";
                /** @description New `destination.postalCode`; "" = none */
                to: string;
                /** @description The change in one sentence */
                text: string;
            };
            /** @description Accepts whole cents, 0 to 9,007,199,254,740,991 */
            totalPrice: number;
        };
        Witness: {
            request: {
                destination: components["schemas"]["Destination"];
                items: components["schemas"]["CartItem"][];
                /** @description Accepts a currency code of 3 letters */
                currency?: string | null;
                /** @description Accepts a string or null */
                locale?: string | null;
                customer?: components["schemas"]["Customer"] | null;
                orderTotals?: components["schemas"]["OrderTotals"] | null;
            };
            /** @description ISO time, for the parameter `at` of a simulation */
            at: string;
        };
        Zone: {
            /**
             * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
             * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
             */
            id: string;
            /** @description Accepts text of 1 to 200 characters without control characters */
            name: string;
            countries: string[];
            subzones: components["schemas"]["Subzone"][];
        };
        ZoneCreate: {
            /** @description Accepts text of 1 to 200 characters without control characters */
            name: string;
            countries: string[];
            subzones?: components["schemas"]["SubzoneCreate"][];
            /** @description Accepts a 0-based position of at most 1,000,000 */
            position?: number;
            /** @description Read-only, ignored: an id does not change */
            id?: unknown;
        };
        ZoneData: {
            /**
             * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
             * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
             */
            id?: string;
            /** @description Accepts text of 1 to 200 characters without control characters */
            name: string;
            countries: string[];
            subzones?: components["schemas"]["SubzoneData"][];
        };
        ZoneUpdate: {
            /** @description Accepts text of 1 to 200 characters without control characters */
            name?: string;
            countries?: string[];
            subzones?: components["schemas"]["SubzoneData"][];
            /** @description Accepts a 0-based position of at most 1,000,000 */
            position?: number;
            /**
             * @description Accepts an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -
             * @example method_01JD3V8RZK6Q9W5T7X2Y4B8N0C
             */
            id?: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
