/* What is parsed is freed again, whatever the text. */
#include "any.h"
#include "cJSON.h"

int main(void)
{
    char text[4];
    any_bytes(text, 3);
    text[3] = 0;
    cJSON *value = cJSON_Parse(text);
    cJSON_Delete(value);
    return 0;
}
